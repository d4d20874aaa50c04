import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { decode } from '../../src/formats/index.ts'
import { opencode } from './agents/opencode.ts'
import { type Asked, handlesIn, turn } from './asked.ts'
import type { Call, Client } from './client.ts'
import { clientWorld } from './client-world.ts'
import type { RunningClient } from './run-client.ts'

const PLUGIN = pathToFileURL(resolve(import.meta.dirname, '../../src/plugins/opencode/index.ts')).href
const withPith: Client = {
  ...opencode,
  setUp: (place) => {
    const env = opencode.setUp(place)
    const config = { ...JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{}'), plugin: [PLUGIN] }
    return { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
  },
}

const RULE = 'Never change anything under vendor/.'
const NARRATIVE =
  'The user wants a.txt, which was written, and missing.txt, which is not there. Then a lot was printed. NARRATIVE-OF-THE-MODEL'
const isAsked = ({ messages }: Asked) => messages.join().includes('is about to be compacted')

/** Works as the script says; reports once in turn 2 that the window is nearly full. */
function working(running: () => RunningClient) {
  let isFull = false
  const { shell, write } = opencode.calls
  return (asked: Asked) => {
    const { turn: number = 0, results, tools, messages } = asked
    if (isAsked(asked)) return { text: NARRATIVE }
    if (tools.length === 0) return { text: 'A title.' }
    const long = shell('seq 1 1500; echo kingfisher')
    const steps: Readonly<Record<number, readonly Call[]>> = {
      1: [write(join(running().place.workspace, 'a.txt'), 'hello'), shell('cat missing.txt'), long, long],
      2: [long, long, long],
      3: [recall({ search: 'kingfisher' }), recall({ handles: handlesIn(messages.at(-1) ?? '') })],
    }
    const next = steps[number]?.[results]
    if (next === undefined) return { text: `Answer ${number}.` }
    if (number !== 2 || results === 0 || isFull) return { text: '', calls: [next] }
    isFull = true
    return { text: '', calls: [next], tokens: 97_000 }
  }
}

function recall(input: object): Call {
  return { name: 'recall', input }
}

async function resumed(running: RunningClient, prompt: string) {
  const [file] = running.sessions()
  const ran = await running.resume({ id: file?.id ?? '', file: file?.path ?? '' }, prompt)
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
}

it('opencode compacts with Pith: its model is asked Pith’s question, the record is in the next request, recall gives back what left it', async () => {
  const { model, place } = await clientWorld(working(() => running))
  const running = place(withPith, { window: 100_000 })
  const started = await running.start(turn(1, `Write a.txt and look at missing.txt. ${RULE}`))
  expect(started, started.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1.') })
  await resumed(running, turn(2, 'Print a lot.'))
  const question = model.asked.find(isAsked)?.messages.join() ?? ''
  for (const words of ['<facts', 'a.txt', RULE, 'Write the record of the conversation below'])
    expect(question).toContain(words)
  const after = model.asked.at(-1)?.messages.join('\n') ?? ''
  for (const words of ['<record-', 'a.txt: written', RULE, 'NARRATIVE-OF-THE-MODEL']) expect(after).toContain(words)

  await resumed(running, turn(3, 'What was printed first?'))
  const asked = model.asked.findLast(({ turn: number }) => number === 3)
  const [found, whole] = asked?.messages.filter((message) => message.includes('"role":"tool"')).slice(-2) ?? []
  expect(found).toMatch(/#\d+ \(assistant, bash.{0,300}kingfisher/)
  expect(whole).toContain('1\\n2\\n3\\n4')
  const [file] = running.sessions()
  const read = file === undefined ? undefined : await decode(file.read())
  expect(read?.ok && read.session.compactions).toMatchObject([{ byPith: true }])
})

it('opencode sends old results as handles once Pith’s trigger is reached, and the same ones in every later request', async () => {
  const { shell } = opencode.calls
  const { model, place } = await clientWorld(({ turn: number = 0, results, tools }) => {
    const next =
      number === 1 && tools.length > 0 && results < 30
        ? shell(`seq ${results + 1}00000000 ${results + 1}00001900`)
        : undefined
    return next === undefined ? { text: `Answer ${number}.` } : { text: '', calls: [next] }
  })
  const running = place(withPith, { window: 200_000 })
  const ran = await running.start(turn(1, 'Print a lot.'))
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1.') })
  const masked = model.asked.filter(({ messages }) => messages.some((message) => MASKED.test(message)))
  expect(masked.length).toBeGreaterThan(0)
  await resumed(running, turn(2, 'And now?'))
  const [before, last] = [
    masked.at(-1)?.messages ?? [],
    model.asked.findLast(({ turn: number }) => number === 2)?.messages ?? [],
  ]
  expect(last.filter((message) => MASKED.test(message))).toEqual(before.filter((message) => MASKED.test(message)))
})

const MASKED = /masked to save context: \d+ characters, recall #\d+/
