// The same as mcp_client.mjs with the client of the TypeScript SDK 2.x, @modelcontextprotocol/client:
// node mcp_client_2.mjs '[[tool, arguments], …]' URL AUTHORIZATION MODE, where MODE is "legacy", "auto" or a
// revision of the protocol to hold to.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [calls, target, authorization, mode] = process.argv.slice(2);
const transport = new StreamableHTTPClientTransport(new URL(target), {
  requestInit: { headers: { Authorization: authorization } },
});
const versionNegotiation = { mode: ["legacy", "auto"].includes(mode) ? mode : { pin: mode } };
const client = new Client({ name: "forecourt-tests", version: "1.0.0" }, { versionNegotiation });
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const [name, input] of JSON.parse(calls)) results.push(await client.callTool({ name, arguments: input }));
console.log(
  JSON.stringify({
    server: client.getServerVersion(),
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools,
    results,
  }),
);
await client.close();
