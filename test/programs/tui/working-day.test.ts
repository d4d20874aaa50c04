import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WARM } from '../../../src/engine/record/prompts/warm.ts'
import { type Entry, partsOf, textOf } from '../../../src/model/types.ts'
import { commandThatWaits } from '../../support/command-that-waits.ts'
import { full } from '../../support/full.ts'
import { httpServer } from '../../support/mcp-servers.ts'
import { requestProblems } from '../../support/model-server/request-problems.ts'
import { SUMMARY } from '../../support/scripted-brain.ts'
import { home } from '../../tui/support/fixture.ts'
import type { Home } from '../../tui/support/program.ts'
import { realProgram } from '../../tui/support/real-program.ts'
import { hasTmux } from '../../tui/support/tmux.ts'

const WINDOW = 16_000
const TURNS = 60
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

type Call = { readonly name: string; readonly input: object }

/** A model of a server that we did not write. It makes the calls of the running turn, one a request, then says that it is done. */
class DayModel {
  readonly mock = new LLMock({ port: 0 })
  readonly requests: { readonly tokens: number; readonly text: string }[] = []
  readonly problems: string[] = []
  summaries = 0
  #calls: Call[] = []
  #last = ''
  #made = 0

  async start(): Promise<string> {
    this.mock.on({ predicate: () => true }, (request) => this.#answer(request))
    await this.mock.start()
    onTestFinished(() => this.mock.stop())
    return `${this.mock.url}/v1`
  }

  /** The calls and the answer of the next turn. */
  plan(calls: readonly Call[], last: string): void {
    this.#calls = [...calls]
    this.#last = last
  }

  #answer(request: ChatCompletionRequest) {
    // The body as the client sent it; the server adds keys of its own.
    const body = Object.fromEntries(Object.entries(request).filter(([key]) => !key.startsWith('_')))
    const text = JSON.stringify(body)
    const tokens = tokensOf(text)
    const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 }
    this.requests.push({ tokens, text })
    this.problems.push(...requestProblems('chat', body, '/v1/chat/completions'))
    if (isSummarising(request)) {
      this.summaries++
      return { content: SUMMARY, usage }
    }
    const call = this.#calls.shift()
    if (call === undefined) return { content: this.#last, usage }
    const id = `call_${++this.#made}`
    return { content: '', toolCalls: [{ id, name: call.name, arguments: JSON.stringify(call.input) }], usage }
  }
}

function isSummarising({ messages, tools = [] }: ChatCompletionRequest): boolean {
  return (
    tools.length === 0 || JSON.stringify(messages.at(-1)?.content ?? '').includes(JSON.stringify(WARM).slice(1, -1))
  )
}

/** Four characters a token; an image counts as about as much as providers count for it. */
function tokensOf(body: string): number {
  const images = body.match(/data:image\/png;base64,[\w+/=]+/g) ?? []
  return Math.ceil((body.length - images.join('').length) / 4) + images.length * 1_200
}

function bash(command: string): Call {
  return { name: 'bash', input: { command } }
}

/** An answer of about 700 tokens: output alone would be masked, and no summary would be due. */
function report(number: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `- ${number}.${i + 1}: this part of the work was looked at, and nothing is wrong with it`,
  )
  return `${lines.join('\n')}\n\nTurn ${number} is done.`
}

/** The last line of an answer has its number once it is in the log. */
function ended(number: number): RegExp {
  return new RegExp(`Turn ${number} is done\\. {2}#\\d`)
}

/** A command that prints about 800 tokens. */
function prints(mark: string): Call {
  return bash(`for i in $(seq 1 60); do echo "${mark}, line $i: nothing of note happens here"; done`)
}

async function day(at: Home) {
  const model = new DayModel()
  const { url } = await httpServer()
  at.config({
    model: 'day/model',
    permissions: 'full',
    theme: 'dark',
    providers: { day: { kind: 'openai-compatible', base_url: await model.start(), api_key: 'day-key' } },
    models: [
      {
        provider: 'day',
        model: 'model',
        context_window: WINDOW,
        input: ['text', 'image'],
        price: { input: 3, output: 15 },
      },
    ],
    mcp: { web: { url } },
  })
  writeFileSync(join(at.workspace, 'shot.png'), PIXEL)
  let program = realProgram(at, { columns: 80, rows: 24 })
  await program.terminal.sees('%')
  const say = (text: string) => {
    program.terminal.type(text)
    program.terminal.press('Enter')
  }
  return {
    model,
    say,
    get terminal() {
      return program.terminal
    },
    /** A whole turn. */
    turn: async (number: number, text: string, calls: readonly Call[]) => {
      model.plan(calls, report(number))
      say(`turn ${number}: ${text}`)
      await program.terminal.sees(ended(number))
    },
    killAndResume: async () => {
      process.kill(program.pid(), 'SIGKILL')
      await program.terminal.sees('left with 137')
      program.terminal.close()
      program = realProgram(at, { args: '--continue', columns: 80, rows: 24 })
      await program.terminal.sees('%')
    },
  }
}

type Day = Awaited<ReturnType<typeof day>>

const file = (at: Home, name: string) => readFileSync(join(at.workspace, name), 'utf8')

/** A message while a command waits: the model has it in the same turn. */
async function steered({ model, say, terminal }: Day, at: Home, number: number): Promise<void> {
  model.plan([bash(`${commandThatWaits('go')}; echo went`)], report(number))
  say(`turn ${number}: wait for me`)
  await terminal.sees('until [ -e go ]')
  say('steering: mind the gap')
  await terminal.sees('after this step: steering')
  const before = model.requests.length
  at.file('go', '')
  await terminal.sees(ended(number))
  expect(model.requests).toHaveLength(before + 1)
  expect(model.requests.at(-1)?.text).toContain('steering: mind the gap')
}

/** Files go back to before the last turn. */
async function rewound({ terminal, say }: Day): Promise<void> {
  say('/rewind ')
  await terminal.sees('Go back to which message?')
  terminal.press('Enter')
  await terminal.sees('what goes back?')
  terminal.type('only the files')
  await terminal.sees('› only the files')
  terminal.press('Enter')
  await terminal.sees('set back to before')
}

/** The process is killed while a command runs, and another continues. */
async function killed(now: Day, number: number): Promise<void> {
  now.model.plan([bash('echo half > half.txt; sleep 60')], 'never said')
  now.say(`turn ${number}: take long`)
  await now.terminal.sees('◌ bash')
  await now.killAndResume()
  await now.terminal.sees(`turn ${number}: take long`)
}

/** The entries of a day in the log. */
async function logOf(at: Home): Promise<readonly Entry[]> {
  const store = await at.store()
  const { sessions } = await store.sessions({ limit: 10 })
  expect(sessions).toHaveLength(1)
  const { entries } = await store.entries(sessions[0]?.id ?? '')
  await store.close()
  return entries
}

/** The compactions between the result of a call and the next step of the same turn. */
function inTurn(log: readonly Entry[]): number {
  const roleOf = (entry: Entry | undefined) => (entry?.type === 'message' ? entry.message.role : undefined)
  const isMessage = ({ type }: Entry) => type === 'message'
  return log.filter(
    ({ type }, i) =>
      type === 'compaction' &&
      roleOf(log.slice(0, i).findLast(isMessage)) === 'tool' &&
      roleOf(log.slice(i + 1).find(isMessage)) === 'assistant',
  ).length
}

describe.skipIf(!full || !hasTmux)('a working day in a real terminal', () => {
  it('sixty turns, with all that happens in them, lose nothing and send nothing wrong', {
    timeout: 900_000,
  }, async () => {
    const at = home()
    const now = await day(at)
    const special: Readonly<Record<number, () => Promise<void>>> = {
      5: () => now.turn(5, 'look at @shot.png please', []),
      9: () => now.turn(9, 'ask the server', [{ name: 'web__echo', input: { said: 'over MCP' } }]),
      14: () =>
        now.turn(
          14,
          'a long one',
          Array.from({ length: 16 }, (_, i) => prints(`turn 14, step ${i + 1}`)),
        ),
      20: () => steered(now, at, 20),
      25: () => now.turn(25, 'write it', [{ name: 'write', input: { path: 'notes.txt', content: 'one\n' } }]),
      26: () => now.turn(26, 'change it', [bash('echo two > notes.txt; echo more > more.txt')]),
      33: () => killed(now, 33),
      40: () =>
        now.turn(
          40,
          'another long one',
          Array.from({ length: 16 }, (_, i) => prints(`turn 40, step ${i + 1}`)),
        ),
      45: () => now.turn(45, 'look at @shot.png again', [{ name: 'read', input: { path: 'shot.png' } }]),
    }
    for (let number = 1; number <= TURNS; number++) {
      const act = special[number] ?? (() => now.turn(number, 'go on', [prints(`turn ${number}`)]))
      await act()
      if (number === 5) expect(now.model.requests.at(-1)?.text).toContain(PIXEL.toString('base64'))
      if (number === 9) expect(now.model.requests.at(-1)?.text).toContain('echo: over MCP')
      if (number === 26) {
        expect(file(at, 'notes.txt')).toBe('two\n')
        await rewound(now)
        expect(file(at, 'notes.txt')).toBe('one\n')
        expect(() => file(at, 'more.txt')).toThrow()
      }
      if (number === 30) now.terminal.resize(40, 15)
      if (number === 36) now.terminal.resize(120, 40)
    }
    now.say('/recall turn 2, line 17: ')
    await now.terminal.sees(/#\d+ tool, bash\s[^#]*turn 2, line 17/)

    expect(now.model.problems).toEqual([])
    expect(Math.max(...now.model.requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(WINDOW)
    const log = await logOf(at)
    const compactions = log.filter(({ type }) => type === 'compaction')
    expect(compactions.length).toBeGreaterThanOrEqual(6)
    expect(inTurn(log)).toBeGreaterThanOrEqual(2)
    const said = log.flatMap((entry) => (entry.type === 'message' ? [textOf(entry.message)] : []))
    for (let number = 1; number <= TURNS; number++) {
      expect(said.filter((text) => text.startsWith(`turn ${number}: `))).toHaveLength(1)
      expect(
        said.some((text) => text.endsWith(`Turn ${number} is done.`)),
        `turn ${number}`,
      ).toBe(number !== 33)
    }
    const parts = log.flatMap((entry) => (entry.type === 'message' ? partsOf(entry.message) : []))
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
    expect(results.toSorted()).toEqual(calls.toSorted())
    console.log(
      `${now.model.requests.length} requests, ${compactions.length} compactions, ${inTurn(log)} of them inside a turn, ${now.model.summaries} summaries, ${log.length} entries`,
    )
  })
})
