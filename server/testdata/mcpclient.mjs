// Cites with the client of the TypeScript SDK of the Model Context Protocol.
// usage: node mcpclient.mjs URL ARTIFACT
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const client = new Client({ name: "outside", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2] + "/mcp")));
const { tools } = await client.listTools();
const cite = (quote) => client.callTool({
  name: "cite",
  arguments: { artifact: process.argv[3], quote, claim: "The mill wheel has stopped." },
});
const good = await cite("The mill wheel has stopped.");
const bad = await cite("The mill wheel has stoped.");
const again = await client.callTool({ name: bad.structuredContent.next_call.tool, arguments: bad.structuredContent.next_call.arguments });
const { resources } = await client.listResources();
const { prompts } = await client.listPrompts();
console.log(`${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts; ` +
  `good: ${good.structuredContent.verification_status}, bad: ${bad.structuredContent.verification_status}, its next call: ${again.structuredContent.verification_status}`);
await client.close();
