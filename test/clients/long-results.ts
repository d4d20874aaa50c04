import type { AgentAnswer } from './agent-model.ts'
import type { Asked } from './asked.ts'
import type { Client } from './client.ts'

/** A model that has long results made until the work is done, and what it was asked for beside. */
export type LongResults = {
  readonly brain: (asked: Asked) => AgentAnswer
  summaries: number
}

type LongResultsOptions = {
  readonly pieces: number
  /** The usage that each answer reports if that is not the truth: few tokens, so that no agent compacts. */
  readonly tokens?: number
}

/** Every piece writes its number into `done.txt`, and prints a few thousand tokens. */
export function longResults({ calls }: Client, { pieces, tokens }: LongResultsOptions): LongResults {
  const reported = tokens === undefined ? {} : { tokens }
  const work: LongResults = { brain, summaries: 0 }
  let piece = 0
  return work

  function brain(asked: Asked): AgentAnswer {
    const isOurs = asked.messages.at(-1)?.includes('This message is from the program') === true
    if (isOurs || asked.isSummary) {
      work.summaries++
      return { text: isOurs ? SUMMARY : `<summary>${SUMMARY}</summary>` }
    }
    if (!asked.tools.includes(calls.shell('').name)) return { text: 'A title.' }
    if (piece === pieces) return { text: 'All is done.', ...reported }
    piece++
    const command = `echo ${piece} >> done.txt; seq ${piece * 10_000} ${piece * 10_000 + 2_500}`
    return { text: `Piece ${piece} of the work.`, calls: [calls.shell(command)], ...reported }
  }
}

const SUMMARY = 'The user wants to count. The numbers stand in done.txt.'
