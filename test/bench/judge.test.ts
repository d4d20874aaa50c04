import { mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bootstrap } from '../../bench/judge/bootstrap.ts'
import { judge } from '../../bench/judge/judge.ts'
import type { Ask } from '../../bench/judge/player.ts'
import { playerOf } from '../../bench/judge/player-of.ts'
import { CRITERION_NAMES } from '../../bench/judge/probes.ts'
import { answersIn, marksIn } from '../../bench/judge/read-answers.ts'
import { servePlayer } from '../../bench/judge/serve-player.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-judge-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ASK: Ask = { about: 'x', system: 'be brief', prompt: 'hello' }

/** Answers every request of the folder by a script, as a person or a program would. */
function play(answer: (ask: Ask) => string): () => void {
  const done = new Set<string>()
  const look = () => {
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.request.json') && !done.has(one))) {
      done.add(name)
      const ask = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Ask
      writeFileSync(join(folder, name.replace('.request.json', '.answer.txt')), answer(ask))
    }
  }
  const watcher = watch(folder, look)
  look()
  return () => watcher.close()
}

test('a folder plays a model: requests are files, the answer is read from another, and nothing is asked twice', async () => {
  const player = playerOf(`folder:${folder}`, { folder })
  const answer = player.ask(ASK)
  expect(readdirSync(folder)).toEqual(['0001.request.json'])
  writeFileSync(join(folder, '0001.answer.json'), '{"text": "hi"}')
  expect(await answer).toBe('hi')
  writeFileSync(join(folder, 'player.txt'), 'a person\n')
  const again = playerOf(`folder:${folder}`, { folder })
  expect(again.name).toBe('a person')
  expect(await again.ask({ ...ASK, about: 'the same question under another name' })).toBe('hi')
  expect(readdirSync(folder).filter((name) => name.endsWith('.request.json'))).toHaveLength(1)
})

test('a server plays a model: prompt and answer are kept, and a second run asks nothing', async () => {
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.end(JSON.stringify({ choices: [{ message: { content: 'served' } }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const spec = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#small`
  expect(await playerOf(spec, { folder }).ask(ASK)).toBe('served')
  expect(await playerOf(spec, { folder }).ask(ASK)).toBe('served')
  server.close()
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).toMatchObject({ model: 'small', messages: [{ content: 'be brief' }, { content: 'hello' }] })
  expect(readFileSync(join(folder, '0001.answer.txt'), 'utf8')).toBe('served')
})

test('a word that names no model is refused with what to write', () => {
  expect(() => playerOf('gpt', { folder })).toThrow('write URL#name')
})

test('a peer reaches whoever plays the model over HTTP, whole or as a stream', async () => {
  const server = await servePlayer({ name: 'x', ask: async ({ system, prompt }) => `${system} | ${prompt}` })
  const send = async (stream: boolean) => {
    const messages = [
      { role: 'system', content: 'sum up' },
      { role: 'user', content: [{ type: 'text', text: 'all this' }] },
    ]
    const response = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ stream, messages }),
    })
    return response.text()
  }
  expect(JSON.parse(await send(false)).choices[0].message.content).toBe('sum up | all this')
  expect(await send(true)).toContain('"content":"sum up | all this"')
  server.close()
})

test('answers and marks are read from what models write around them', () => {
  expect(answersIn('Sure.\n<recall>none</recall>\n<artifact>a.ts</artifact>')).toEqual({
    recall: 'none',
    artifact: 'a.ts',
    continuation: '',
    decision: '',
  })
  const marks = Object.fromEntries(CRITERION_NAMES.map((name) => [name, 4]))
  const text = `\`\`\`json\n${JSON.stringify({ A: marks, B: { ...marks, accuracy: 9 } })}\n\`\`\``
  expect(marksIn(text, 'A')).toEqual(marks)
  expect(marksIn(text, 'B')).toBeUndefined()
  expect(marksIn('no', 'A')).toBeUndefined()
})

test('a bootstrapped interval holds the mean, is the same every time, and has no width where all values agree', () => {
  const values = [1, 2, 3, 4, 5, 5, 5]
  const interval = bootstrap(values)
  expect(interval).toEqual(bootstrap(values))
  expect(interval?.low).toBeLessThan(interval?.mean ?? 0)
  expect(interval?.high).toBeGreaterThan(interval?.mean ?? 0)
  expect(bootstrap([3, 3, 3])).toEqual({ mean: 3, low: 3, high: 3 })
  expect(bootstrap([])).toBeUndefined()
})

test('a judge who likes long answers best finds the method behind the letter, whatever the order', async () => {
  // Whoever knows a file answers at length: the made-up session of quick mode, all methods, one cut.
  const stop = play((ask) => {
    if (!ask.system.startsWith('You judge')) {
      const words = /(?:compacted to save space|masked to save context)/.test(ask.prompt)
        ? 'remembered '.repeat(20)
        : 'no'
      return `<recall>${words}</recall><artifact>${words}</artifact><continuation>${words}</continuation><decision>${words}</decision>`
    }
    const marks = [...ask.prompt.matchAll(/<answer ([A-Z])>\n([\s\S]*?)\n<\/answer/g)].map(([, letter, text = '']) => {
      const mark = text.length > 50 ? 5 : 1
      return [letter, Object.fromEntries(CRITERION_NAMES.map((name) => [name, mark]))]
    })
    return JSON.stringify(Object.fromEntries(marks))
  })
  const result = await judge.run({
    quick: true,
    transcripts: [],
    scratch: folder,
    model: `folder:${folder}`,
    progress: () => {},
  })
  stop()
  const overall = (method: string) => result.tables[0]?.rows.find(([name]) => name === method)?.at(-2)
  expect(overall('Pith')).toBe(5)
  expect(overall('tail truncation')).toBe(1)
})
