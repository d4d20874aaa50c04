import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PithError } from '../../model/problems/errors.ts'

/** A request to a reader, a writer of questions or a judge. */
export type Ask = {
  /** For people who look into the files: `answers about cli-43`. The same question about something else is the same question. */
  readonly about: string
  /** The session whose context the prompt shows: a player sees only one context of each. */
  readonly session?: string
  readonly system: string
  readonly prompt: string
}

/**
 * A folder in which every request is a file `0001.request.json` and its answer `0001.answer.txt`. A request that was asked before,
 * to the letter, keeps its number and its answer.
 */
export type RequestFolder = {
  /** Writes the request to a file, if it is new, and returns its number. */
  put(ask: Ask): string
  answerOf(number: string): string | undefined
  keepAnswer(number: string, text: string): void
}

export function openRequestFolder(folder: string): RequestFolder {
  mkdirSync(folder, { recursive: true })
  // A request file never changes, so each is read once.
  const asked = new Map<string, Ask>()
  const file = (number: string, end: string) => join(folder, `${number}.${end}`)
  return {
    put(ask) {
      // Model and judge may share a folder, so it is listed each time.
      for (const number of readdirSync(folder).flatMap((name) => /^(\d+)\.request\.json$/.exec(name)?.[1] ?? []))
        if (!asked.has(number)) asked.set(number, JSON.parse(readFileSync(file(number, 'request.json'), 'utf8')))
      const [known] = [...asked].find(([, one]) => one.system === ask.system && one.prompt === ask.prompt) ?? []
      if (known !== undefined) return known
      const [other] = [...asked].find(([, { session }]) => session !== undefined && session === ask.session) ?? []
      if (other !== undefined)
        throw new PithError(
          'bad-argument',
          `${folder} already has a request with another context of ${ask.session} (${other}): one player must not see two contexts of a session. Start with a new folder.`,
        )
      const number = String(1 + Math.max(0, ...[...asked.keys()].map(Number))).padStart(4, '0')
      writeWhole(file(number, 'request.json'), `${JSON.stringify(ask, undefined, 2)}\n`)
      return number
    },
    answerOf(number) {
      const path = file(number, 'answer.txt')
      return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
    },
    keepAnswer: (number, text) => writeWhole(file(number, 'answer.txt'), text),
  }
}

/** Renames a finished file into place, so that a program that watches the folder never sees half of it. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}
