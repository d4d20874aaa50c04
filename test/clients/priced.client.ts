import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import { MODE_NAMES } from '../../src/gateway/modes/mode.ts'
import { billed } from '../support/model-server/billed.ts'
import { startAgentModel } from './agent-model.ts'
import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { longResults } from './long-results.ts'
import { placeClient } from './run-client.ts'
import { sentProblems } from './sent-problems.ts'
import { wrapClient } from './wrap-client.ts'

const PIECES = 45
const WINDOW = 100_000
const WAYS = ['direct', ...MODE_NAMES] as const
type Way = (typeof WAYS)[number]

/** Claude Code believes in a window of 200,000 tokens otherwise. */
const SMALLER = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: `${WINDOW}` }
/** As long as recorded summaries of agents: four thousand tokens. */
const OWN_SUMMARY = `The user wants to count. ${'The numbers stand in done.txt, and the next one comes behind them. '.repeat(215)}`

const rows: string[][] = []
afterAll(() =>
  console.log(columns([['agent', ...WAYS.flatMap((way) => [way, 'requests', 'summaries'])], ...rows]).join('\n')),
)

it.each([claudeCode, codex, opencode].map((client) => [client.name, client] as const))(
  '%s costs no more through the gateway, at a provider that has a cache of prefixes',
  async (name, client) => {
    const runs = {
      direct: await priced(client, 'direct'),
      observe: await priced(client, 'observe'),
      answer: await priced(client, 'answer'),
      rewrite: await priced(client, 'rewrite'),
    }
    const cells = WAYS.map((way) => runs[way])
    rows.push([
      name,
      ...cells.flatMap(({ dollars, requests, summaries }) => [
        `$${dollars.toFixed(3)} (${(dollars / runs.direct.dollars).toFixed(3)})`,
        `${requests}`,
        `${summaries}`,
      ]),
    ])
    for (const { problems } of cells) expect(problems).toEqual([])
    // Every request has the tools of `pith mcp`, too, which `wrap` gives to these agents.
    for (const way of MODE_NAMES) expect(runs[way].dollars).toBeLessThan(runs.direct.dollars * 1.02)
  },
)

async function priced(client: Client, way: Way) {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const work = longResults(client, { pieces: PIECES, ownSummary: OWN_SUMMARY })
  const model = await startAgentModel(work.brain, { caches: true })
  onTestFinished(() => model.close())
  const { program } = installed
  const set = way === 'direct' ? client.setUp : (client.wrapped.setUp ?? client.setUp)
  const setUp: Client['setUp'] = (place) => ({ ...set(place), ...SMALLER })
  const small = { ...client, setUp, wrapped: { ...client.wrapped, setUp } }
  const running =
    way === 'direct'
      ? placeClient(small, { program, url: model.url, window: WINDOW })
      : wrapClient(small, { program, pith: inject('program'), url: model.url, mode: way })
  onTestFinished(running.remove)
  const run = await running.start(turn(1, 'Count for a while.'))
  expect(run, run.stderr.slice(-2_000)).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  return {
    dollars: billed(model.usages.map((usage) => ({ usage }))),
    requests: model.asked.length,
    summaries: work.summaries,
    problems: sentProblems(client, model.asked),
  }
}
