// An MCP server seen by @modelcontextprotocol/sdk: node mcp_client.mjs '[[tool, arguments], …]' URL [AUTHORIZATION]
// or node mcp_client.mjs '[…]' COMMAND ARGUMENT… for a server over stdio.
// Prints {"server": …, "instructions": …, "tools": […], "results": […]}.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [calls, target, ...rest] = process.argv.slice(2);
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target), {
      requestInit: rest.length ? { headers: { Authorization: rest[0] } } : undefined,
    })
  : new StdioClientTransport({ command: target, args: rest, env: process.env });

const client = new Client({ name: "forecourt-tests", version: "1.0.0" });
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const [name, input] of JSON.parse(calls)) results.push(await client.callTool({ name, arguments: input }));
console.log(
  JSON.stringify({ server: client.getServerVersion(), instructions: client.getInstructions(), tools, results }),
);
await client.close();
