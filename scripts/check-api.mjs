// Checks the API document with two validators that were written apart from each other, and compiles a client that is made from it.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from '../src/contract/document.ts'

/** The client is outside of the repository, so its one package is named by its path. */
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  paths: { 'openapi-fetch': [fileURLToPath(new URL('../node_modules/openapi-fetch', import.meta.url))] },
}

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

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pith-api-'))
try {
  writeFileSync(join(folder, 'schema.d.ts'), await typesOf(JSON.parse(text)))
  copyFileSync(join(root, 'scripts', 'api-client.ts'), join(folder, 'api-client.ts'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  if (status !== 0) console.error(`A client made from the API document does not compile:\n${stdout}`)
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * The types that openapi-typescript makes of a document. It needs the programming interface of TypeScript, which version 7 does
 * not have. A copy of version 6 is in a package of ts-morph; TypeScript 6 itself would replace our `tsc`.
 */
async function typesOf(document) {
  const url = import.meta.resolve('@ts-morph/common/dist/typescript.js')
  const hooks = registerHooks({
    resolve(name, context, next) {
      const isAsked = name === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
      return isAsked ? { url, shortCircuit: true } : next(name, context)
    },
  })
  try {
    const { default: openapiTS, astToString } = await import('openapi-typescript')
    return astToString(await openapiTS(document))
  } finally {
    hooks.deregister()
  }
}
