"""All rules of AAP 1.3 that can be tried from outside, in the order in which they are tried."""

from forecourt.check import card, envelope, information, inventory, leads, transport
from forecourt.check.rule import Rule

CARD_RULES: tuple[Rule, ...] = card.RULES
CALL_RULES: tuple[Rule, ...] = (
    *envelope.RULES,
    *transport.RULES,
    *information.RULES,
    *inventory.RULES,
    *leads.RULES,
)
AAP_RULES: tuple[Rule, ...] = (*CARD_RULES, *CALL_RULES)
