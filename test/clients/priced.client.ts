import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import { MODE_NAMES, type ModeName } from '../../src/gateway/modes/mode.ts'
import { billed } from '../support/model-server/billed.ts'
import type { TokenUsage } from '../support/model-server/token-count.ts'
import { startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { pi } from './agents/pi.ts'
import { type Asked, turn } from './asked.ts'
import type { Client } from './client.ts'
import {
  ASKED_SUMMARY_CHARACTERS,
  OWN_SUMMARY_CHARACTERS,
  PRICED_TURNS,
  pricedWork,
  putPricedFiles,
} from './priced-work.ts'
import { put } from './put.ts'
import { placeClient } from './run-client.ts'
import { sentProblems } from './sent-problems.ts'
import { wrapClient } from './wrap-client.ts'

const PRICED_CLIENTS = [claudeCode, codex, pi, opencode]
const WINDOW = 200_000
/**
 * `long` is `answer` with a model that writes as much for Pith as it does for the agent. `early` is `rewrite` with Pith's
 * own trigger, as users have it; in `rewrite` itself Pith compacts where the agent does alone.
 */
const WAYS = ['direct', ...MODE_NAMES, 'long', 'early'] as const
type Way = (typeof WAYS)[number]
type PricedWays = Partial<Record<Way, PricedRun>>

/** The tools of `pith mcp`, which `wrap` gives to these agents, are in every request. */
const MOST = 1.03
/** Each way takes a minute or two. */
const LONGEST_MS = 1_800_000

/** `npm run bench:agents` sets it: the file for the table in docs/gateway.md. */
const RESULTS = process.env.PITH_PRICED

const rows: PricedRow[] = []
/** One agent in the file that the table in docs/gateway.md is made from. */
type PricedRow = {
  readonly agent: string
  readonly version: string
  readonly ways: PricedWays
}
type PricedRun = {
  readonly date: string
  readonly dollars: number
  readonly requests: number
  /** How often the agent's requests became much shorter. */
  readonly compactions: number
  /** Tokens by kind, of all requests. */
  readonly tokens: TokenUsage
  /** The tokens of the requests for summaries that were not in the cache. */
  readonly uncachedForSummaries: number
  /** The tokens of the last request before each compaction, and of the first one after it. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** How many different lists of tools the requests had: a tool that comes late loses the provider's cache. */
  readonly toolLists: number
}

afterAll(() => {
  if (RESULTS !== undefined) writeResults(RESULTS)
  console.log(
    columns([
      [
        'agent',
        'way',
        'cost',
        'ratio',
        'requests',
        'compactions',
        'not cached',
        '… of summaries',
        'written',
        'lists of tools',
        'before',
        'after',
      ],
      ...rows.flatMap(({ agent, ways }) =>
        Object.entries(ways).map(([way, run]) => [
          agent,
          way,
          `$${run.dollars.toFixed(3)}`,
          (run.dollars / (ways.direct?.dollars ?? 0)).toFixed(3),
          `${run.requests}`,
          `${run.compactions}`,
          `${run.tokens.input - run.tokens.cacheRead}`,
          `${run.uncachedForSummaries}`,
          `${run.tokens.output}`,
          `${run.toolLists}`,
          run.before.join(' '),
          run.after.join(' '),
        ]),
      ),
    ]).join('\n'),
  )
})

/** Agents that were not measured this time keep their rows. */
function writeResults(file: string): void {
  const all = PRICED_CLIENTS.flatMap(
    ({ name }) => rows.find(({ agent }) => agent === name) ?? measuredBefore(name) ?? [],
  )
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
}

/** The row of an agent in the file, if there is one. */
function measuredBefore(name: string): PricedRow | undefined {
  if (RESULTS === undefined) return undefined
  const rows: PricedRow[] = JSON.parse(readFileSync(RESULTS, 'utf8'))
  return rows.find(({ agent }) => agent === name)
}

it.each(PRICED_CLIENTS.map((client) => [client.name, client] as const))(
  '%s costs no more through the gateway, at a provider that has a cache of prefixes',
  async (name, client) => {
    const installed = inject('installed')[name]
    if ('problem' in installed) throw new Error(installed.problem)
    const { version } = installed
    const before = measuredBefore(name)
    // Ways that are not chosen keep their numbers, unless those are of another version.
    const ways: PricedWays = before?.version === version ? { ...before.ways } : {}
    rows.push({ agent: name, version, ways })
    for (const way of chosenWays()) ways[way] = await priced(client, way, ways.direct)
    for (const way of [...MODE_NAMES, 'early'] as const)
      if (ways[way] !== undefined) expect(ways[way].dollars).toBeLessThan((ways.direct?.dollars ?? 0) * MOST)
  },
  LONGEST_MS,
)

/** All ways, or those that `PITH_WAYS` names, separated by commas. */
function chosenWays(): readonly Way[] {
  const { PITH_WAYS } = process.env
  return PITH_WAYS === undefined ? WAYS : WAYS.filter((way) => PITH_WAYS.split(',').includes(way))
}

async function priced(client: Client, way: Way, direct: PricedRun | undefined): Promise<PricedRun> {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const pithCharacters = way === 'long' ? OWN_SUMMARY_CHARACTERS : ASKED_SUMMARY_CHARACTERS
  const work = pricedWork(client, { workspace: () => running.place.workspace, pithCharacters })
  const model = await startAgentModel(work.brain, { caches: true })
  onTestFinished(() => model.close())
  const { program } = installed
  const own = ownTrigger(client)
  const wrapped =
    way === 'direct'
      ? undefined
      : wrapClient(own, { program, pith: inject('program'), url: model.url, mode: modeOf(way) })
  const running = wrapped ?? placeClient(own, { program, url: model.url, window: WINDOW })
  onTestFinished(running.remove)
  if (wrapped !== undefined && way === 'rewrite') {
    if (direct === undefined) throw new Error('rewrite needs the trigger of the agent alone: add `direct` to PITH_WAYS')
    put(join(wrapped.pithHome, 'config.yaml'), `policy:\n  token_limit: ${Math.min(...direct.before)}\n`)
  }
  putPricedFiles(running.place.workspace)
  for (work.turn = 1; work.turn <= PRICED_TURNS; work.turn++) {
    const [file] = running.sessions()
    const prompt = turn(work.turn, 'Write the total of the next parts.')
    const run = await (file === undefined
      ? running.start(prompt)
      : running.resume({ id: file.id, file: file.path }, prompt))
    expect(run, run.stderr.slice(-2_000)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Turn ${work.turn} is done.`),
    })
  }
  expect(sentProblems(client, model.asked)).toEqual([])
  const { usages, asked } = model
  const isSummary = asked.map((each) => each.isSummary || each.messages.at(-1)?.includes(OURS) === true)
  // Titles and other side requests are short.
  const steps = usages.filter(({ input }, i) => !isSummary[i] && input > LEAST_STEP)
  const falls = steps.flatMap(({ input }, i) => {
    const before = steps[i - 1]?.input ?? 0
    return input < before * FALL ? [{ before, after: input }] : []
  })
  return {
    date: new Date().toISOString().slice(0, 10),
    dollars: billed(usages.map((usage) => ({ usage }))),
    requests: asked.length,
    compactions: falls.length,
    tokens: usages.reduce(added),
    uncachedForSummaries: usages
      .filter((_, i) => isSummary[i])
      .reduce((sum, { input, cacheRead }) => sum + input - cacheRead, 0),
    before: falls.map(({ before }) => before),
    after: falls.map(({ after }) => after),
    toolLists: new Set(asked.flatMap(toolsOfWork)).size,
  }
}

/** The definitions of the tools; none for a request without tools, such as that for a summary. */
function toolsOfWork({ tools, body }: Asked): string[] {
  return tools.length === 0 ? [] : [JSON.stringify(body.tools)]
}

const LEAST_STEP = 3_000
/** A request that is this much shorter than the one before follows a compaction. */
const FALL = 0.7
const OURS = 'This message is from the program'

function modeOf(way: Exclude<Way, 'direct'>): ModeName {
  return way === 'long' ? 'answer' : way === 'early' ? 'rewrite' : way
}

function added(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  }
}

/** The agent with the same window and the same trigger directly and wrapped. */
function ownTrigger(client: Client): Client {
  const own = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: `${WINDOW}` }
  const { setUp = client.setUp } = client.wrapped
  return {
    ...client,
    setUp: (place) => ({ ...client.setUp(place), ...own }),
    wrapped: {
      ...client.wrapped,
      setUp: (place) => ({ ...setUp(place), ...own }),
      compacts: { window: WINDOW, tokens: WINDOW },
    },
  }
}
