// Validates an OpenAPI document and resolves what it refers to. usage: node parse.mjs openapi.json
import SwaggerParser from "@apidevtools/swagger-parser";

const api = await SwaggerParser.validate(process.argv[2]);
console.log(`${api.openapi} valid, ${Object.keys(api.paths).length} paths`);
