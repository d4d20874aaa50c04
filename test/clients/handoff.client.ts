import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { viewOf } from '../../src/engine.ts'
import { decode } from '../../src/formats/index.ts'
import { textOf } from '../../src/model/types.ts'
import { pithBeside } from '../support/cli.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { pi } from './agents/pi.ts'
import { type Asked, turn } from './asked.ts'
import type { Client } from './client.ts'
import { clientWorld } from './client-world.ts'
import { CLIENTS } from './clients.ts'
import type { RunningClient } from './run-client.ts'

const RESUMING: readonly Client[] = [claudeCode, codex, pi]
const ROUNDS = 5

/** The work of a turn: a file is written, a command fails, files are read, the agent reports. */
function worker(agents: () => RunningClient | undefined) {
  return ({ turn: number = 0, results, tools, isSummary }: Asked) => {
    const running = agents()
    if (isSummary || running === undefined || tools.length === 0) return { text: 'A summary of the agent itself.' }
    const { calls } = running.client
    const steps = [
      calls.write(join(running.place.workspace, `part${number}.txt`), `part ${number}`),
      calls.shell(`cat missing${number}.txt`),
      ...Array.from({ length: 6 }, (_, i) => calls.shell(`head -c 6000 /dev/zero | tr '\\0' 'x'; echo ${number}-${i}`)),
    ]
    const next = steps[results]
    return next === undefined
      ? {
          text: `Part ${number} is written, and missing${number}.txt could not be read because nobody has made it yet.`,
        }
      : { text: '', calls: [next] }
  }
}

/** Hands the newest session of one agent on to another with `pith handoff`; the name of the new one. */
async function handoff(from: RunningClient, to: RunningClient): Promise<{ id: string; file: string; stderr: string }> {
  const [newest] = from.sessions()
  const folders = {
    workspace: to.place.workspace,
    home: to.place.home,
    env: { PITH_HOME: join(to.place.home, 'pith') },
  }
  // opencode keeps no file a session: it is named by its id, in the folder of its own user.
  const named = from.client.name === 'opencode' ? newest?.id : newest?.path
  const args = ['handoff', named ?? '', '--to', to.client.format, '--offline']
  const env = { ...to.env, XDG_DATA_HOME: join(from.place.home, '.local', 'share') }
  const { stdout, stderr, code } = await pithBeside(folders, args, env)
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('To undo'), code: 0 })
  const file = /^To undo, delete this one file: (.+)$/m.exec(stderr)?.[1] ?? ''
  expect(existsSync(file)).toBe(true)
  return { id: stdout.trim().split(' ').at(-1) ?? '', file, stderr }
}

/** The record that a session begins with. */
async function recordOf(file: string): Promise<string> {
  const read = await decode([readFileSync(file, 'utf8')])
  if (!read.ok) throw new Error(read.text)
  const [first] = viewOf(read.session.entries).items.slice()
  return first?.kind === 'summary' ? textOf(first.message) : ''
}

const DEMAND = 'Never delete part1.txt.'

/** Works, hands on, resumes and works again, each round with the next agent of the list. */
async function rounds(clients: readonly Client[]): Promise<string> {
  let working: RunningClient | undefined
  const { model, place } = await clientWorld(worker(() => working))
  const agents = clients.map((client) => place(client))
  const at = (round: number) => agents[round % agents.length] as RunningClient
  working = at(0)
  const started = await working.start(turn(1, `Write part1.txt. ${DEMAND}`))
  expect(started, started.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Part 1 is written') })
  let file = ''
  for (let round = 1; round <= ROUNDS; round++) {
    const next = at(round)
    const handed = await handoff(working, next)
    working = next
    file = handed.file
    const resumed = await next.resume({ id: handed.id, file }, turn(round + 1, `Write part${round + 1}.txt.`))
    expect(resumed, resumed.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Part ${round + 1} is written`),
    })
    const asked = model.asked.findLast((request) => request.turn === round + 1)
    const sent = asked?.messages.join('\n') ?? ''
    expect(sent).toContain('The earlier part of this conversation')
    expect(sent).not.toContain('lastSeq')
  }
  const last = await handoff(working, working)
  return recordOf(last.file)
}

function expectWhole(record: string): void {
  expect(record).toContain(DEMAND)
  for (let part = 1; part <= ROUNDS; part++) {
    expect(record).toContain(`Write part${part}.txt.`)
    expect(record).toContain(`part${part}.txt`)
    expect(record).toContain(`missing${part}.txt could not be read because nobody has made it yet`)
  }
  expect(record.match(/The earlier part of this conversation/g)).toHaveLength(1)
  expect(record.match(/^## Now$/gm)).toHaveLength(1)
}

describe('pith handoff', () => {
  it.each(RESUMING.map((client) => [client.name, client] as const))(
    'keeps the user’s words, files and reports for five rounds of %s',
    async (_, client) => expectWhole(await rounds([client])),
  )

  it.each(CLIENTS.map((client) => [client.name, client] as const))(
    'gives a session of %s to the three agents that take one',
    async (_, client) => {
      let working: RunningClient | undefined
      const { model, place } = await clientWorld(worker(() => working))
      const from = place(client)
      working = from
      const started = await from.start(turn(1, `Write part1.txt. ${DEMAND}`))
      expect(started, started.stderr).toMatchObject({ code: 0 })
      for (const [i, other] of RESUMING.entries()) {
        working = place(other)
        const handed = await handoff(from, working)
        const resumed = await working.resume({ id: handed.id, file: handed.file }, turn(i + 2, 'Go on.'))
        expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
        const sent = model.asked.find((asked) => asked.turn === i + 2 && asked.tools.length > 0)?.messages.join('\n')
        for (const words of [DEMAND, 'part1.txt', 'missing1.txt', 'Go on.']) expect(sent).toContain(words)
      }
    },
  )

  it('keeps them across agents', async () => expectWhole(await rounds(RESUMING)))
})
