// A dealer agent seen by @a2a-js/sdk: node a2a_client.mjs DEALER_URL '[AAP payload, …]'
// Prints {"card": …, "answers": [{"payload": …} or {"error": {"code", "message", "data"}}, …]}.

import { randomUUID } from "node:crypto";
import { AgentCard, Part, Role } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";

const [dealerUrl, payloads] = process.argv.slice(2);
const client = await new ClientFactory().createFromUrl(dealerUrl, ".well-known/agent-card.json");

const message = (payload) => ({
  messageId: randomUUID(),
  role: Role.ROLE_USER,
  parts: [Part.fromJSON({ data: payload, mediaType: "application/json" })],
});

async function ask(payload) {
  try {
    const reply = await client.sendMessage({ message: message(payload) });
    const parts = reply.parts ?? reply.payload?.value?.parts;
    return { payload: Part.toJSON(parts[0]).data };
  } catch (error) {
    return { error: { name: error.name, code: error.code, message: error.message, data: error.data } };
  }
}

const answers = [];
for (const payload of JSON.parse(payloads)) answers.push(await ask(payload));
console.log(JSON.stringify({ card: AgentCard.toJSON(await client.getAgentCard()), answers }));
