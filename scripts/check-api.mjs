// Checks the API document with two validators that were written apart from each other.
import SwaggerParser from '@apidevtools/swagger-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from '../src/contract/document.ts'

const text = JSON.stringify(openApiDocument('0.0.0'))

const { valid, errors } = await new Validator().validate(JSON.parse(text))
if (!valid) {
  console.error('The API document is not valid:', JSON.stringify(errors, undefined, 2))
  process.exit(1)
}

try {
  // Follows every reference, too.
  await SwaggerParser.validate(JSON.parse(text))
} catch (error) {
  console.error(`The API document is not valid: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
