// Validates an OpenAPI document. usage: node validate.mjs openapi.json
import { Validator } from "@seriousme/openapi-schema-validator";

const validator = new Validator();
const result = await validator.validate(process.argv[2]);
console.log(result.valid ? `OpenAPI ${validator.version} valid` : JSON.stringify(result.errors));
