import { join } from 'node:path'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import { storedBills } from '../../src/gateway/bills.ts'
import { billTotals, joinedBills } from '../../src/gateway/recording/bill.ts'
import type { Fault } from '../support/model-server/index.ts'
import { type AgentAnswer, startAgentModel } from './agent-model.ts'
import { type Asked, turn } from './asked.ts'
import type { Client } from './client.ts'
import { CLIENTS } from './clients.ts'
import { withOwnTrigger } from './own-trigger.ts'
import { put } from './put.ts'
import { storedSummaries } from './recorded-work.ts'
import { wrapClient } from './wrap-client.ts'

/** The fault of the first request for the summary of each compaction, one compaction a turn. */
const FAULTS = {
  529: { fault: 'http', status: 529, message: 'Overloaded' },
  500: { fault: 'http', status: 500, message: 'Internal server error' },
  'a broken stream': { fault: 'reset-in-stream' },
  'a hang': { fault: 'silence' },
} as const satisfies Record<string, Fault>

/** A provider that hangs is asked again after half of the limit. */
const SUMMARY_SECONDS = 30
const PIECES_A_TURN = 4

const rows: string[][] = []
afterAll(() => console.log(columns([['agent', 'compactions', 'tries', 'with a summary'], ...rows]).join('\n')))

it.each(CLIENTS.map((client) => [client.name, client] as const))(
  '%s gets a record with a summary at the second try after a 529, a 500, a broken stream and a hang',
  async (name, client) => {
    const installed = inject('installed')[name]
    if ('problem' in installed) throw new Error(installed.problem)
    const work = faultyWork(client)
    const model = await startAgentModel(work.brain)
    onTestFinished(() => model.close())
    const running = wrapClient(withOwnTrigger(client), {
      program: installed.program,
      pith: inject('program'),
      url: model.url,
    })
    onTestFinished(running.remove)
    put(join(running.pithHome, 'config.yaml'), `gateway:\n  summary_seconds: ${SUMMARY_SECONDS}\n`)

    for (let number = 1; number <= work.turns; number++) {
      work.turn = number
      const [file] = running.sessions()
      const prompt = turn(number, 'Count for a while.')
      const run = await (file === undefined
        ? running.start(prompt)
        : running.resume({ id: file.id, file: file.path }, prompt))
      expect(run, run.stderr.slice(-3_000)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`Answer ${number}`),
      })
    }
    const bill = () => billTotals(joinedBills(storedBills(running.pithHome)))
    const faults = Object.keys(FAULTS).length
    // The gateway writes the bill when it has seen that the agent is gone.
    await expect.poll(() => bill().requests, { timeout: 20_000 }).toBeGreaterThanOrEqual(work.answers)
    const { compactions, summaryTries } = bill()
    const summaries = (await storedSummaries(running)).map((record) => /This is summary (\d)\./.exec(record)?.[1])
    rows.push([name, String(compactions), JSON.stringify(summaryTries), summaries.join(' ')])
    expect(summaries).toEqual(Object.keys(FAULTS).map((_, i) => String(i + 1)))
    expect(summaryTries).toEqual({ 2: faults })
  },
)

/** A model that reports a full window once in each turn, and fails at first when it is asked for the summary. */
function faultyWork({ calls, wrapped }: Client) {
  const faults: readonly Fault[] = Object.values(FAULTS)
  let piece = 0
  let compactions = 0
  let isFailing = true
  const work = { brain, turn: 0, turns: faults.length + 1, answers: 0 }
  return work

  function brain(asked: Asked): AgentAnswer {
    const isOurs = asked.messages.at(-1)?.includes('This message is from the program') === true
    if (isOurs) {
      const fault = isFailing ? faults[compactions] : undefined
      isFailing = !isFailing
      if (fault !== undefined) return { text: `${SUMMARY} Nobody reads this.`, fault }
      compactions++
      return { text: `${SUMMARY} The user said: [turn ${work.turn}]. This is summary ${compactions}.` }
    }
    if (asked.isSummary) return { text: '<summary>The agent’s own summary.</summary>' }
    if (!asked.tools.includes(calls.shell('').name)) return { text: 'A title.' }
    const isFull =
      piece >= (work.turn - 1) * PIECES_A_TURN + 2 && compactions < work.turn && compactions < faults.length
    const full = isFull ? { tokens: wrapped.compacts.tokens } : {}
    if (piece >= work.turn * PIECES_A_TURN) {
      work.answers++
      return { text: `Answer ${work.turn} after the work.`, ...full }
    }
    piece++
    return {
      text: `Piece ${piece} of the work.`,
      calls: [calls.shell(`echo ${piece} >> done.txt; seq ${piece} 300`)],
      ...full,
    }
  }
}

const SUMMARY =
  'The user wants to count for a while. Each piece writes its number into done.txt. The pieces so far are done; go on with the next one.'
