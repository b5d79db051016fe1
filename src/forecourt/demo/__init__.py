"""A simulated dealer group and a scripted tour through real clients."""
