import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DecodedSession, type DecodeOptions, decodeText } from '../../src/formats/index.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/formats')

/** The text of a small session that we made up in the shape of an agent's. */
export function fixture(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8')
}

/** A session that is expected to be readable. */
export function decoded(text: string, options?: DecodeOptions): DecodedSession {
  const result = decodeText(text, options)
  if (!result.ok) throw new Error(`${result.reason}: ${result.text}`)
  return result.session
}

/** What every fixture tells: the same work in each agent's words. */
export const ASKED = 'Make the server listen on port 8081. Never touch src/legacy.ts.'
export const ANSWERED = 'The server listens on port 8081 now; one test still expects 8080.'
