import { join } from 'node:path'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import type { ModeName } from '../../src/gateway/modes/mode.ts'
import { type AgentAnswer, startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { type Asked, turn } from './asked.ts'
import { type Client, type ClientPlace, KEY } from './client.ts'
import { put } from './put.ts'
import { recordedWork } from './recorded-work.ts'
import { placeClient } from './run-client.ts'
import { wrapClient } from './wrap-client.ts'

/** The usage that the model reports at each step: every agent believes the provider's count. */
const REPORTED = [60_000, 120_000, 140_000, 160_000, 180_000, 210_000, 230_000, 243_000, 246_000, 250_000]

/** A model that reports these counts in turn until the agent compacts, and where that was. */
function growingWork({ calls }: Client, reported: readonly number[], printed = (_: number) => 'seq 300') {
  const work = { brain, steps: 0, compactedAt: undefined as number | undefined, longest: 0 }
  return work

  function brain(asked: Asked): AgentAnswer {
    const isOurs = asked.messages.at(-1)?.includes('This message is from the program') === true
    if (isOurs || asked.isSummary) {
      work.compactedAt ??= work.longest
      return { text: isOurs ? SUMMARY : `<summary>${SUMMARY}</summary>` }
    }
    if (!asked.tools.includes(calls.shell('').name)) return { text: 'A title.' }
    const tokens = work.compactedAt === undefined ? reported[work.steps++] : undefined
    if (tokens === undefined) return { text: 'All is done.', tokens: 20_000 }
    work.longest = tokens
    return {
      text: `Piece ${work.steps} of the work.`,
      calls: [calls.shell(`echo ${work.steps}; ${printed(work.steps)}`)],
      tokens,
    }
  }
}

const SUMMARY = 'The user wants to count. Each piece of the work prints its number and then a list of numbers.'

/** A million tokens, as its users choose it. */
const million: Client = {
  ...claudeCode,
  start: (prompt, place) =>
    claudeCode.start(prompt, place).map((arg) => (arg === 'claude-sonnet-4-5' ? 'claude-sonnet-4-5[1m]' : arg)),
}

/** With the window and the trigger of its own list of models. */
const plainCodex: Client = codexWith('')

function codexWith(settings: string): Client {
  const configured = ({ home }: ClientPlace, address: string) => {
    const folder = join(home, '.codex')
    put(join(folder, 'config.toml'), `model = "gpt-5.5"\n${address}\n${settings}`)
    return { CODEX_HOME: folder, OPENAI_API_KEY: KEY }
  }
  return {
    ...codex,
    // By itself it wants compaction items of a provider that it takes for OpenAI.
    setUp: (place) =>
      configured(
        place,
        `model_provider = "local"\nmodel_providers.local = { name = "local", base_url = "${place.url}/v1", wire_api = "responses", env_key = "OPENAI_API_KEY" }`,
      ),
    wrapped: {
      ...codex.wrapped,
      setUp: (place) => configured(place, `openai_base_url = "${place.url}/v1"`),
    },
  }
}

type Row = readonly [
  string,
  Client,
  {
    readonly flags?: readonly string[]
    readonly mode?: ModeName
    /** The counts between which it compacts; none if it runs to the end. */
    readonly between?: readonly [number, number]
    readonly line: RegExp
  },
]

const ROWS: readonly Row[] = [
  ['a million tokens in Claude Code', million, { line: /compacts as it does alone, 33,000 tokens before its window/ }],
  [
    'a million tokens in Claude Code with --trigger pith',
    million,
    {
      flags: ['--trigger', 'pith'],
      between: [120_000, 180_000],
      line: /compacts at 1\d\d,\d{3} tokens; alone it compacts 33,000 tokens before its window is full/,
    },
  ],
  ['Codex', plainCodex, { between: [243_000, 246_000], line: /compacts as it does alone, at .*244,800 tokens/ }],
  [
    'Codex with --trigger pith',
    plainCodex,
    {
      flags: ['--trigger', 'pith'],
      between: [120_000, 180_000],
      line: /compacts at 1\d\d,\d{3} tokens; alone it compacts at .*244,800 tokens/,
    },
  ],
]

const rows: string[][] = []
afterAll(() => console.log(columns([['agent', 'alone', 'with Pith'], ...rows]).join('\n')))

it.each(ROWS)('%s compacts where the line at its start says', async (name, client, expected) => {
  const alone = await ran(client)
  const wrapped = await ran(client, expected)
  rows.push([name, ...[alone, wrapped].map(({ compactedAt }) => String(compactedAt ?? 'never'))])

  expect(wrapped.stderr).toMatch(expected.line)
  if (expected.flags === undefined) expect(wrapped.compactedAt).toBe(alone.compactedAt)
  const [above = 0, upTo = 0] = expected.between ?? []
  if (expected.between === undefined) expect(wrapped.compactedAt).toBeUndefined()
  else {
    expect(wrapped.compactedAt).toBeGreaterThan(above)
    expect(wrapped.compactedAt).toBeLessThanOrEqual(upTo)
  }
})

/** The work of one agent, alone or behind `pith wrap`. */
async function ran(client: Client, wrapped?: { flags?: readonly string[]; mode?: ModeName }) {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const work = growingWork(client, REPORTED)
  const model = await startAgentModel(work.brain)
  onTestFinished(() => model.close())
  const { program } = installed
  const place = { program, url: model.url }
  const running =
    wrapped === undefined
      ? placeClient(client, place)
      : wrapClient(client, { ...place, pith: inject('program'), ...wrapped })
  onTestFinished(running.remove)
  const run = await running.start(turn(1, 'Count for a while.'))
  expect(run, run.stderr.slice(-3_000)).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  return { compactedAt: work.compactedAt, stderr: run.stderr }
}

/** opencode with a provider of the user's own; without a `limit` nothing states the window of its model. */
function ownProvider(limit: boolean): Client {
  const setUp: Client['setUp'] = (place) => {
    const env = opencode.setUp(place)
    const config = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{}')
    if (!limit) delete config.provider.local.models.test.limit
    return { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
  }
  return { ...opencode, setUp }
}

const UNKNOWN = /does not know the window of \S+: requests are shortened only after the provider refuses one/

it.each([
  ['opencode', ownProvider(true)],
  ['Codex', codexWith('model_context_window = 100000\n')],
] as const)('%s with a window in its own files is compacted by it in rewrite', async (_, client) => {
  const { stderr, reductions } = await rewritten(client)

  expect(stderr).toMatch(/Pith compacts at about \d\d,\d{3} tokens/)
  expect(stderr).not.toMatch(UNKNOWN)
  expect(reductions).toBeGreaterThan(0)
})

it('opencode without a window in its files says at its start that rewrite cannot shorten its requests in time', async () => {
  const { stderr, reductions } = await rewritten(ownProvider(false))

  expect(stderr).toMatch(UNKNOWN)
  expect(reductions).toBe(0)
})

/** The usage in steps of about 8,000 tokens, the size of what each step prints: Pith removes messages, so they have to be as large as the count. */
const GROWING = [20_000, 28_000, 36_000, 44_000, 52_000, 60_000, 68_000, 76_000, 84_000, 86_000]

async function rewritten(client: Client) {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const work = growingWork(client, GROWING, (step) => `seq ${step}00000000 ${step}00001900`)
  const model = await startAgentModel(work.brain)
  onTestFinished(() => model.close())
  const running = wrapClient(client, {
    program: installed.program,
    pith: inject('program'),
    url: model.url,
    mode: 'rewrite',
  })
  onTestFinished(running.remove)
  const run = await running.start(turn(1, 'Count for a while.'))
  expect(run, run.stderr.slice(-3_000)).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  return { stderr: run.stderr, ...(await recordedWork(running)) }
}
