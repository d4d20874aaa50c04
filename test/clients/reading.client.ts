import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageItem } from '../../src/engine/context/view/item-list.ts'
import { indexDelta, viewOf } from '../../src/engine.ts'
import { type DecodedSession, decode } from '../../src/formats/index.ts'
import { todosOf } from '../../src/model/facts/log-index.ts'
import { textOf } from '../../src/model/types.ts'
import { type Asked, turn } from './asked.ts'
import type { Client } from './client.ts'
import { clientWorld } from './client-world.ts'
import { CLIENTS } from './clients.ts'
import type { RunningClient } from './run-client.ts'

const SUMMARY = 'SUMMARY OF THE AGENT ITSELF'
const TODOS = [
  { text: 'first thing', done: true },
  { text: 'second thing', done: false },
]
const PROMPTS = ['Write a.txt and look at missing.txt.', 'Print a lot.', 'And now?'].map((words, i) =>
  turn(i + 1, words),
)

/** Writes a file, fails at a command, notes to-dos; in the second turn it reports once that the window is nearly full. */
function working(client: Client, running: () => RunningClient) {
  let isFull = false
  const { calls, compacts } = client
  return ({ turn: number = 0, results, tools, isSummary }: Asked) => {
    if (isSummary) return { text: `<state_snapshot>${SUMMARY}</state_snapshot>\n<summary>\n${SUMMARY}\n</summary>` }
    if (tools.length === 0) return { text: 'A side answer.' }
    const print = calls.shell(`head -c 9000 /dev/zero | tr '\\0' 'x'; echo ${results}`)
    const first = [
      calls.write(join(running().place.workspace, 'a.txt'), 'hello'),
      // qwen-code does not always read what a command printed just before it ended.
      calls.shell('cat missing.txt || { sleep 1; exit 1; }'),
      ...(calls.todos?.(TODOS) ?? []),
      ...[print, print, print],
    ]
    const next = number === 1 ? first[results] : number === 2 && results < 4 ? print : undefined
    if (next === undefined) return { text: `Answer ${number}.` }
    if (number < 2 || results === 0 || isFull || 'prompt' in compacts) return { text: '', calls: [next] }
    isFull = true
    return { text: '', calls: [next], tokens: compacts.tokens }
  }
}

async function sessionOf(client: Client): Promise<DecodedSession> {
  const { place } = await clientWorld(working(client, () => running))
  const running = place(client, 'window' in client.compacts ? { window: client.compacts.window } : {})
  const [first = '', ...others] = PROMPTS
  const started = await running.start(first)
  expect(started, started.stderr).toMatchObject({ code: 0 })
  const prompts = 'prompt' in client.compacts ? others.toSpliced(1, 0, client.compacts.prompt) : others
  for (const prompt of prompts) {
    const [file] = running.sessions()
    const resumed = await running.resume({ id: file?.id ?? '', file: file?.path ?? '' }, prompt)
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
  }
  const read = await Promise.all(running.sessions().map((file) => decode(file.read())))
  const longest = read
    .flatMap((result) => (result.ok ? [result.session] : []))
    .toSorted((a, b) => b.entries.length - a.entries.length)[0]
  if (longest === undefined) throw new Error(`no session of ${client.name} was found that can be read`)
  return longest
}

describe.each(CLIENTS.map((client) => [client.name, client] as const))('what %s wrote', (_, client) => {
  it('is read with its tools, errors, to-dos and its own compaction', async () => {
    const session = await sessionOf(client)
    const messages = session.entries.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
    const { users = [], files = [], errors = [], todos = [] } = indexDelta(messages)
    expect(session.issues).toEqual([])
    expect(session.format).toBe(client.format)
    for (const prompt of PROMPTS) expect(users.filter(({ text }) => text.includes(prompt)).length).toBe(1)
    expect(files.filter(({ path }) => path.endsWith('/a.txt'))).toMatchObject([{ access: 'modified' }])
    expect(errors.map(({ text }) => text).join('\n')).toContain('missing.txt: No such file or directory')
    if (client.calls.todos !== undefined)
      expect(todosOf({ todos })).toMatchObject([
        { text: 'first thing', status: 'done' },
        { text: 'second thing', status: 'pending' },
      ])
    const [first] = viewOf(session.entries).items.slice()
    expect(session.compactions.length).toBeGreaterThan(0)
    expect(first?.kind === 'summary' ? textOf(first.message) : '').toContain(SUMMARY)
  })
})
