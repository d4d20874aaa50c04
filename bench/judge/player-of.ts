import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ask, openRequestFolder, type RequestFolder } from '../../src/eval/kit/exchange.ts'
import type { Player } from './player.ts'

export type PlayerOptions = {
  /** The folder that keeps the requests to a server and its answers. */
  readonly folder: string
  /** Called with a line that says which answers are missing. */
  readonly progress?: (line: string) => void
}

/**
 * The player that the user named: `folder:DIR`, in which a person or a program answers files, or `URL#model`, an OpenAI-compatible server
 * (its key in PITH_BENCH_KEY). All requests and answers are kept in a folder, and nothing is asked twice.
 */
export function playerOf(spec: string, options: PlayerOptions): Player {
  const folder = /^folder:(.+)$/.exec(spec)?.[1]
  if (folder !== undefined) return inFolder(folder, options)
  const [url = '', model = ''] = spec.split('#')
  if (!/^https?:\/\//.test(url) || model === '')
    throw new Error(`${spec} is not a model: write URL#name (such as http://localhost:11434/v1#qwen3) or folder:DIR`)
  return onServer(url.replace(/\/$/, ''), model, options)
}

/** A player for one sort of requests or for one seat: it has a folder inside the player's folder. */
export function roomOf(spec: string, room: string, { folder, ...options }: PlayerOptions): Player {
  const inside = /^folder:(.+)$/.exec(spec)?.[1]
  return playerOf(inside === undefined ? spec : `folder:${join(inside, room)}`, {
    folder: join(folder, room),
    ...options,
  })
}

function inFolder(folder: string, { progress }: PlayerOptions): Player {
  const exchange = openRequestFolder(folder)
  let waiting = 0
  return {
    name: playerName(folder),
    async ask(ask) {
      const number = exchange.put(ask)
      waiting++
      const showWaiting = () => progress?.(`waiting for ${waiting} answers in ${folder}`)
      showWaiting()
      const answer = await awaitAnswer(exchange, number)
      waiting--
      showWaiting()
      return answer
    },
  }
}

/** The answer, as soon as somebody has written it. */
async function awaitAnswer(exchange: RequestFolder, number: string): Promise<string> {
  for (;;) {
    const answer = exchange.answerOf(number)
    if (answer !== undefined) return answer
    await pause(POLL_MS)
  }
}

const POLL_MS = 200

/** The player's own description in `player.txt`, in the folder or the one above it. */
function playerName(folder: string): string {
  const path = [folder, join(folder, '..')].map((one) => join(one, 'player.txt')).find((one) => existsSync(one))
  return path === undefined ? 'an unnamed player in a folder' : readFileSync(path, 'utf8').trim()
}

function onServer(url: string, model: string, { folder, progress }: PlayerOptions): Player {
  const exchange = openRequestFolder(folder)
  return {
    name: model,
    ask(ask) {
      // One request at a time over all rooms: local servers can often handle only one.
      const turn = turns.get(url) ?? Promise.resolve()
      const answer = turn.then(() => answered(exchange, ask, () => chat(url, model, ask), progress))
      turns.set(
        url,
        answer.catch(() => undefined),
      )
      return answer
    },
  }
}

const turns = new Map<string, Promise<unknown>>()

async function answered(
  exchange: RequestFolder,
  ask: Ask,
  answer: () => Promise<string>,
  progress: PlayerOptions['progress'],
): Promise<string> {
  const number = exchange.put(ask)
  const known = exchange.answerOf(number)
  if (known !== undefined) return known
  progress?.(`asking about ${ask.about}`)
  const text = await answer()
  exchange.keepAnswer(number, text)
  return text
}

async function chat(url: string, model: string, { system, prompt }: Ask): Promise<string> {
  const key = process.env.PITH_BENCH_KEY
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model,
      temperature: 0,
      messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }],
    }),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
  const body = (await response.json()) as { choices?: { message?: { content?: string } }[] }
  return body.choices?.[0]?.message?.content ?? ''
}
