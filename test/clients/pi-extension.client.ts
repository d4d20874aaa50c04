import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { decodeText } from '../../src/formats/index.ts'
import { pi } from './agents/pi.ts'
import { type Asked, handlesIn, turn } from './asked.ts'
import type { Client } from './client.ts'
import { clientWorld } from './client-world.ts'
import type { RunningClient } from './run-client.ts'

const EXTENSION = resolve(import.meta.dirname, '../../src/plugins/pi/index.ts')
const withPith: Client = {
  ...pi,
  start: (prompt, place) => [...pi.start(prompt, place), '-e', EXTENSION],
  resume: (session, prompt, place) => [...pi.resume(session, prompt, place), '-e', EXTENSION],
}

const RULE = 'Never change anything under vendor/.'
const NARRATIVE = 'The user wants a.txt, which was written, and missing.txt, which is not there. NARRATIVE-OF-THE-MODEL'
const LONG = 'seq 1 1500; echo kingfisher'

/** Works as the script says; reports once in turns 2 and 4 that the window is nearly full. */
function working(running: () => RunningClient) {
  const full = new Set<number>()
  const { shell, write } = pi.calls
  return ({ turn: number = 0, results, tools, messages }: Asked) => {
    if (tools.length === 0) return { text: NARRATIVE }
    const long = shell(LONG)
    const steps: Readonly<Record<number, readonly object[]>> = {
      1: [write(join(running().place.workspace, 'a.txt'), 'hello'), shell('cat missing.txt'), long, long],
      2: [long, long, long],
      3: [recall({ search: 'kingfisher' }), recall({ handles: handlesIn(messages.at(-1) ?? '') })],
      4: [shell('echo 4 > b.txt'), long, long],
    }
    const next = steps[number]?.[results] as { name: string; input: unknown } | undefined
    if (next === undefined) return { text: `Answer ${number}.` }
    if (number % 2 === 1 || results !== 1 || full.has(number)) return { text: '', calls: [next] }
    full.add(number)
    return { text: '', calls: [next], tokens: 97_000 }
  }
}

function recall(input: object): object {
  return { name: 'recall', input }
}

async function resumed(running: RunningClient, prompt: string) {
  const [file] = running.sessions()
  const ran = await running.resume({ id: file?.id ?? '', file: file?.path ?? '' }, prompt)
  expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: '' })
  return file?.path ?? ''
}

it('pi compacts with Pith: the record is in the next request, recall gives back what left it, and a later one reads its facts', async () => {
  const { model, place } = await clientWorld(working(() => running))
  const running = place(withPith, { window: 100_000 })
  const started = await running.start(turn(1, `Write a.txt and look at missing.txt. ${RULE}`))
  expect(started, started.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1.'), stderr: '' })
  await resumed(running, turn(2, 'Print a lot.'))
  const after = model.asked.findLast((asked) => asked.turn === 2)
  const [record = ''] = after?.messages ?? []
  for (const words of ['<record-', 'a.txt', RULE, 'NARRATIVE-OF-THE-MODEL']) expect(record).toContain(words)

  await resumed(running, turn(3, 'What was printed first?'))
  const asked = model.asked.findLast(({ turn: number }) => number === 3)
  expect(asked?.messages[0]).toBe(record)
  const [found, whole] = asked?.messages.slice(-3).filter((message) => message.includes('tool_result')) ?? []
  expect(found).toMatch(/#\d+ \(assistant, bash.{0,300}kingfisher/)
  expect(whole).toContain('1\\n2\\n3\\n4')

  const file = await resumed(running, turn(4, 'Go on.'))
  const [second = '', ...tail] = model.asked.findLast(({ turn: number }) => number === 4)?.messages ?? []
  expect(second).not.toBe(record)
  for (const words of ['a.txt: written, not checked since', RULE]) expect(second).toContain(words)
  expect(tail.join()).toContain('b.txt')
  expect(second.match(/<record-/g)).toHaveLength(1)
  const decoded = decodeText(readFileSync(file, 'utf8'))
  expect(decoded.ok && decoded.session.compactions).toMatchObject([{ byPith: true }, { byPith: true }])
})

it('pi sends old results as handles once Pith’s trigger is reached, and the same ones in every later request', async () => {
  const { shell } = pi.calls
  const { model, place } = await clientWorld(({ turn: number = 0, results }) => {
    const next = number === 1 && results < 28 ? shell(`seq ${results + 1}00000000 ${results + 1}00001900`) : undefined
    return next === undefined ? { text: `Answer ${number}.` } : { text: '', calls: [next] }
  })
  const running = place(withPith, { window: 200_000 })
  const ran = await running.start(turn(1, 'Print a lot.'))
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1.'), stderr: '' })
  const masked = model.asked.filter(({ messages }) => messages.some((message) => MASKED.test(message)))
  expect(masked.length).toBeGreaterThan(0)
  await resumed(running, turn(2, 'And now?'))
  const [before, last] = [masked.at(-1)?.messages ?? [], model.asked.at(-1)?.messages ?? []]
  expect(last.filter((message) => MASKED.test(message))).toEqual(before.filter((message) => MASKED.test(message)))
})

const MASKED = /masked to save context: \d+ characters, recall #\d+/
