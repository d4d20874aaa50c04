import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seatRoom } from '../../src/eval/kit/seats.ts'
import type { Bench, BenchContext, BenchResult } from '../harness/bench.ts'
import { questionsFor } from '../retention/material.ts'
import { piMethod } from '../retention/methods/peers.ts'
import { chosenCuts } from './chosen-cuts.ts'
import { contextsOf } from './contexts.ts'
import { continuation, type Judged, type Players } from './continuation.ts'
import type { Player } from './player.ts'
import { roomOf } from './player-of.ts'
import { marksReport } from './report.ts'
import { worstText } from './worst-text.ts'

const CUTS = 12

export const judge: Bench = {
  name: 'judge/continuation',
  what: 'Eight questions at each cut, written from the session and what followed before any context is made; answered from each context by a player who sees no other context of that session, and marked 0 to 5 by a judge who sees only letters.',
  run: async (context) => {
    const { model, judge: judgeSpec = model, progress } = context
    if (model === undefined || judgeSpec === undefined)
      return {
        tables: [],
        notes: ['Needs a model: `--model URL#name` or `--model folder:DIR`, and `--judge` if another one judges.'],
      }
    const players = playersOf(model, judgeSpec, progress)
    const summariser = players.summaries
    const pi = context.quick ? undefined : await piMethod(summariser, context.scratch)
    const questions = chosenCuts(
      await questionsFor(context),
      context.quick ? 1 : (context.cuts ?? CUTS),
      context.cutNames,
    )
    const judged = await continuation(questions, players, (cut) =>
      contextsOf(cut, { model: summariser, ...(pi === undefined ? {} : { pi }) }),
    )
    return reported(judged, context, players)
  },
}

/** The folder that keeps the requests to a server and its answers. */
const KEPT = join(import.meta.dirname, '..', 'exchange')

function playersOf(model: string, judgeSpec: string, progress: BenchContext['progress']) {
  const room = (spec: string, name: string): Player => roomOf(spec, name, { folder: KEPT, progress })
  const players: Players = {
    questions: room(model, 'questions'),
    seat: (number) => room(model, seatRoom(number)),
    judge: room(judgeSpec, 'judge'),
  }
  return { ...players, summaries: room(model, 'summaries') }
}

function reported(judged: readonly Judged[], { judge: spec, model }: BenchContext, players: Players): BenchResult {
  const worst = join(/^folder:(.+)$/.exec(spec ?? model ?? '')?.[1] ?? KEPT, 'worst.md')
  mkdirSync(join(worst, '..'), { recursive: true })
  // Next to the exchange and not in the results, because a judge's words quote the session.
  writeFileSync(worst, worstText(judged))
  const cuts = new Set(judged.map(({ cut }) => cut)).size
  const sessions = new Set(judged.map(({ session }) => session)).size
  const agents = new Set(judged.map(({ agent }) => agent)).size
  return marksReport(judged, [
    `${cuts} cuts of ${sessions} sessions of ${agents} agents. Questions, summaries and answers by ${players.questions.name}, a different one for each seat; judged by ${players.judge.name}. Intervals are bootstrapped over cuts.`,
    'The record of Pith alone, at the size that users get, does not describe the messages in its tail. At equal size it covers the whole span, followed by the last request.',
    'Equal size: the length of the recorded summary, 12,000 characters if none was recorded. A method without a setting for its size gets its share and may take more: see the tokens.',
  ])
}
