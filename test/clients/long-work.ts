import { join } from 'node:path'
import type { AgentAnswer } from './agent-model.ts'
import type { Asked } from './asked.ts'
import type { Client } from './client.ts'

/** How many pieces of work there are, and how many of them a turn does. */
const PIECES = 30
const PIECES_A_TURN = 6
export const TURNS = PIECES / PIECES_A_TURN

/** From these pieces on the model reports a full window, until the agent has compacted. */
const FULL_AT = [9, 21]
/** At this piece the gateway is killed. */
const KILLED_AT = 15
export const KILLED_TURN = Math.ceil(KILLED_AT / PIECES_A_TURN)

/** A model that lets an agent do thirty pieces of work in five turns, and what it saw. */
export type LongWork = {
  readonly brain: (asked: Asked) => AgentAnswer
  /** The turn that the agent was asked for last. */
  turn: number
  /** How often the agent asked for a summary, and how many of these requests are Pith's. */
  compactions: number
  ofPith: number
  /** The pieces that the model has asked for. */
  piece: number
}

/** Gemini CLI has each summary checked once more, and pi asks for a part of a turn by itself. */
const PART_OF_ONE = /Critically evaluate|Do not infer or recreate later messages/

/** Every piece writes its number into `done.txt`; the last one of a turn writes a file with the agent's own tool. */
export function longWork(client: Client, workspace: () => string, kill?: () => void): LongWork {
  const { shell, write } = client.calls
  let isKilled = false
  const work: LongWork = { brain, turn: 0, compactions: 0, ofPith: 0, piece: 0 }
  return work

  function brain(asked: Asked): AgentAnswer {
    const isOurs = (asked.messages.at(-1) ?? '').includes('This message is from the program')
    if (isOurs || asked.isSummary) {
      if (!PART_OF_ONE.test(asked.messages.at(-1) ?? '')) work.compactions++
      if (isOurs) work.ofPith++
      const summary = `${SUMMARY} The user said: [turn ${work.turn}] Go on. This is summary ${work.compactions}.`
      // Claude Code and qwen-code ask again for a summary without their tags.
      const tag = client.name === 'gemini' || client.name === 'qwen-code' ? 'state_snapshot' : 'summary'
      return { text: isOurs ? summary : `<${tag}>${summary}</${tag}>` }
    }
    const isWork = asked.tools.includes(shell('').name) && asked.messages.some((message) => message.includes('[turn '))
    if (!isWork) return { text: 'A title.' }
    const tokens = FULL_AT.some((at, i) => work.piece >= at && work.compactions <= i)
      ? { tokens: client.wrapped.compacts.tokens }
      : {}
    if (work.piece === KILLED_AT && !isKilled && kill !== undefined) {
      isKilled = true
      kill()
      return { text: 'Nobody hears this.' }
    }
    if (work.piece >= work.turn * PIECES_A_TURN) return { text: `Answer ${work.turn} after the work.`, ...tokens }
    const piece = ++work.piece
    const isLast = piece % PIECES_A_TURN === 0
    const call = isLast
      ? write(join(workspace(), `part${piece / PIECES_A_TURN}.txt`), `part ${piece / PIECES_A_TURN}`)
      : shell(`echo ${piece} >> done.txt; seq ${piece} 300`)
    return { text: `Piece ${piece} of the work.`, calls: [call], ...tokens }
  }
}

/** The content of `done.txt` when every piece was done once. */
export const DONE = Array.from({ length: PIECES }, (_, i) => i + 1).filter((piece) => piece % PIECES_A_TURN !== 0)

const SUMMARY =
  'The user wants thirty pieces of work done. Each piece writes its number into done.txt, and the last one of a turn writes a file part1.txt, part2.txt and so on. The pieces so far are done; go on with the next one.'
