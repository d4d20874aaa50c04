import { readFileSync, writeFileSync } from 'node:fs'
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
import { placeClient } from './run-client.ts'
import { sentProblems } from './sent-problems.ts'
import { wrapClient } from './wrap-client.ts'

const PRICED_CLIENTS = [claudeCode, codex, pi, opencode]
const WINDOW = 200_000
/** `long` is `answer` with a model that writes as much for Pith as it does for the agent. */
const WAYS = ['direct', ...MODE_NAMES, 'long'] as const
type Way = (typeof WAYS)[number]

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
  readonly date: string
  readonly ways: Record<Way, PricedRun>
}
type PricedRun = {
  readonly dollars: number
  readonly requests: number
  /** How often the agent's requests became much shorter. */
  readonly compactions: number
  /** Tokens by kind, of all requests. */
  readonly tokens: TokenUsage
  /** The tokens of the requests for summaries that were not in the cache. */
  readonly uncachedForSummaries: number
  /** The tokens of the first request after each compaction. */
  readonly after: readonly number[]
  /** How many different lists of tools the requests had: a tool that comes late loses the provider's cache. */
  readonly toolLists: number
}

afterAll(() => {
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
        'after',
      ],
      ...rows.flatMap(({ agent, ways }) =>
        Object.entries(ways).map(([way, run]) => [
          agent,
          way,
          `$${run.dollars.toFixed(3)}`,
          (run.dollars / ways.direct.dollars).toFixed(3),
          `${run.requests}`,
          `${run.compactions}`,
          `${run.tokens.input - run.tokens.cacheRead}`,
          `${run.uncachedForSummaries}`,
          `${run.tokens.output}`,
          `${run.toolLists}`,
          run.after.join(' '),
        ]),
      ),
    ]).join('\n'),
  )
  if (RESULTS === undefined) return
  // Agents that were not measured this time keep their rows.
  const before: PricedRow[] = JSON.parse(readFileSync(RESULTS, 'utf8'))
  const all = PRICED_CLIENTS.flatMap(({ name }) => {
    const isRow = ({ agent }: PricedRow) => agent === name
    return rows.find(isRow) ?? before.find(isRow) ?? []
  })
  writeFileSync(RESULTS, `${JSON.stringify(all, null, 2)}\n`)
})

it.each(PRICED_CLIENTS.map((client) => [client.name, client] as const))(
  '%s costs no more through the gateway, at a provider that has a cache of prefixes',
  async (name, client) => {
    const installed = inject('installed')[name]
    if ('problem' in installed) throw new Error(installed.problem)
    const ways = {} as Record<Way, PricedRun>
    for (const way of chosenWays()) ways[way] = await priced(client, way)
    rows.push({ agent: name, version: installed.version, date: new Date().toISOString().slice(0, 10), ways })
    for (const way of MODE_NAMES)
      if (ways[way] !== undefined) expect(ways[way].dollars).toBeLessThan(ways.direct.dollars * MOST)
  },
  LONGEST_MS,
)

/** All ways, or those that `PITH_WAYS` names, separated by commas. */
function chosenWays(): readonly Way[] {
  const { PITH_WAYS } = process.env
  return PITH_WAYS === undefined ? WAYS : WAYS.filter((way) => PITH_WAYS.split(',').includes(way))
}

async function priced(client: Client, way: Way): Promise<PricedRun> {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const pithCharacters = way === 'long' ? OWN_SUMMARY_CHARACTERS : ASKED_SUMMARY_CHARACTERS
  const work = pricedWork(client, { workspace: () => running.place.workspace, pithCharacters })
  const model = await startAgentModel(work.brain, { caches: true })
  onTestFinished(() => model.close())
  const { program } = installed
  const own = ownTrigger(client)
  const running =
    way === 'direct'
      ? placeClient(own, { program, url: model.url, window: WINDOW })
      : wrapClient(own, { program, pith: inject('program'), url: model.url, mode: modeOf(way) })
  onTestFinished(running.remove)
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
  const after = steps.flatMap(({ input }, i) => (input < (steps[i - 1]?.input ?? 0) * FALL ? [input] : []))
  return {
    dollars: billed(usages.map((usage) => ({ usage }))),
    requests: asked.length,
    compactions: after.length,
    tokens: usages.reduce(added),
    uncachedForSummaries: usages
      .filter((_, i) => isSummary[i])
      .reduce((sum, { input, cacheRead }) => sum + input - cacheRead, 0),
    after,
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
  return way === 'long' ? 'answer' : way
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
