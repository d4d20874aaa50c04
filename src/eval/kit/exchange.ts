import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ask } from './player.ts'

/**
 * A folder in which every request is a file `0001.request.json` and its answer `0001.answer.txt` (the text) or
 * `0001.answer.json` (`{ "text": … }`). A request that was asked before, to the letter, keeps its number and its answer.
 */
export type RequestFolder = {
  /** Writes the request to a file, if it is new, and returns its number. */
  put(ask: Ask): string
  answerOf(number: string): string | undefined
  keepAnswer(number: string, text: string): void
}

export function openRequestFolder(folder: string): RequestFolder {
  mkdirSync(folder, { recursive: true })
  const writtenIn = requestReader()
  const file = (number: string, end: string) => join(folder, `${number}.${end}`)
  return {
    put(ask) {
      // Model and judge may share a folder, so it is listed each time.
      const numbers = readdirSync(folder).flatMap((name) => /^(\d+)\.request\.json$/.exec(name)?.[1] ?? [])
      const known = numbers.find((number) => writtenIn(file(number, 'request.json')).hash === hashOf(ask))
      if (known !== undefined) return known
      const other = numbers.find(
        (number) => ask.session !== undefined && writtenIn(file(number, 'request.json')).session === ask.session,
      )
      if (other !== undefined)
        throw new Error(
          `${folder} already has a request with another context of ${ask.session} (${other}): one player must not see two contexts of a session. Start with a new folder.`,
        )
      const number = String(1 + Math.max(0, ...numbers.map(Number))).padStart(4, '0')
      writeWhole(file(number, 'request.json'), `${JSON.stringify(ask, undefined, 2)}\n`)
      return number
    },
    answerOf(number) {
      if (existsSync(file(number, 'answer.txt'))) return readFileSync(file(number, 'answer.txt'), 'utf8').trim()
      if (!existsSync(file(number, 'answer.json'))) return undefined
      return textIn(readFileSync(file(number, 'answer.json'), 'utf8'))
    },
    keepAnswer: (number, text) => writeWhole(file(number, 'answer.txt'), text),
  }
}

/** The answer, as soon as somebody has written it. */
export async function awaitAnswer(exchange: RequestFolder, number: string, signal?: AbortSignal): Promise<string> {
  for (;;) {
    const answer = exchange.answerOf(number)
    if (answer !== undefined) return answer
    await pause(POLL_MS, undefined, { signal })
  }
}

const POLL_MS = 200

/** Renames a finished file into place, so that a program that watches the folder never sees half of it. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}

type Written = { readonly hash: string; readonly session: string | undefined }

/** Reads request files. A request file never changes, so each is read once. */
function requestReader(): (path: string) => Written {
  const requests = new Map<string, Written>()
  return (path) => {
    const known = requests.get(path) ?? writtenOf(JSON.parse(readFileSync(path, 'utf8')) as Ask)
    requests.set(path, known)
    return known
  }
}

function writtenOf(ask: Ask): Written {
  return { hash: hashOf(ask), session: ask.session }
}

/** Leaves out `about`, which is only for people: the same question under another name is the same question. */
function hashOf({ system, prompt }: Ask): string {
  return createHash('sha256').update(`${system}\0${prompt}`).digest('hex')
}

/** `{ "text": … }` or the answer of an OpenAI-compatible server; any other JSON is the answer itself. A half-written file does not count yet. */
function textIn(json: string): string | undefined {
  try {
    const body = JSON.parse(json) as { text?: unknown; choices?: { message?: { content?: unknown } }[] }
    const text = body.text ?? body.choices?.[0]?.message?.content
    return typeof text === 'string' ? text : json
  } catch {
    return undefined
  }
}
