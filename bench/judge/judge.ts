import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, BenchContext, BenchResult } from '../harness/bench.ts'
import { questionsFor } from '../retention/material.ts'
import { piMethod } from '../retention/methods/peers.ts'
import { chosenCuts } from './chosen-cuts.ts'
import { contextsOf } from './contexts.ts'
import { continuation, type Judged, type Players } from './continuation.ts'
import type { Player } from './player.ts'
import { roomOf } from './player-of.ts'
import { marksReport } from './report.ts'
import { seatRoom } from './seats.ts'
import { worstText } from './worst-text.ts'

const CUTS = 12

export const judge: Bench = {
  name: 'judge/continuation',
  what: 'Eight questions at each cut, written from the session and what followed before any context is made; answered from each context by somebody who sees no other of that session, and marked 0 to 5 by a judge who sees letters.',
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

/** Where requests and answers of a server are kept. */
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
  // Beside the exchange and not in the results: a judge's words quote the session.
  writeFileSync(worst, worstText(judged))
  const cuts = new Set(judged.map(({ cut }) => cut)).size
  const sessions = new Set(judged.map(({ session }) => session)).size
  const agents = new Set(judged.map(({ agent }) => agent)).size
  return marksReport(judged, [
    `${cuts} cuts of ${sessions} sessions of ${agents} agents. Questions, summaries and answers by ${players.questions.name}, each seat another one; judged by ${players.judge.name}. Intervals are bootstrapped over cuts.`,
    'The record of Pith alone, at the size that users get, says nothing of what stands in its tail; of equal size it covers the whole span, with the last request behind it.',
    'Equal size: the length of the recorded summary, 12,000 characters where none was recorded. Who cannot be told a size is given its share and may take more: see the tokens.',
  ])
}
