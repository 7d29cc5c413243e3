// Cites with a client whose types are generated from the OpenAPI document.
// usage: node client.js URL ARTIFACT
declare const process: { argv: string[] };
import createClient from "openapi-fetch";
import type { paths } from "./api";

const api = createClient<paths>({ baseUrl: process.argv[2] });
const { data, error } = await api.POST("/api/v1/cite", {
  body: { artifact: process.argv[3], quote: "The mill wheel has stopped.", claim: "The mill wheel has stopped." },
});
if (error) throw new Error(error.detail);
const list = await api.GET("/api/v1/citations", { params: { query: { limit: 5 } } });
console.log(`typed: ${data.verification_status}, ${list.data?.citations?.length} listed`);
