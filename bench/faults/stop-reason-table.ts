import { STOP_REASONS, type StopMeaning } from '../../src/llm/call/stream.ts'

/** Pith's reaction to the end of an answer, and the exit code of `pith run`. */
const DONE: Readonly<Record<StopMeaning, readonly [done: string, exit: string]>> = {
  whole: ['the turn is done', '0'],
  calls: ['the calls are run, and the model is asked again', '–'],
  cut: [
    'text: the model is asked for the rest, up to three times; a call: the model gets an error, three in a row end the turn',
    '0; 1',
  ],
  refused: ['what was said is kept, no call is run, the turn ends as refused', '3'],
  'window-full': ['the session is compacted, and the model is asked again', '–'],
  broken: ['the answer is asked for again, after a pause', '–'],
}

/** The stop reasons of the providers, a row each. */
export function stopReasonTable(): string {
  const rows = STOP_REASONS.map(({ kind, says, means }) => `| ${kind} | \`${says}\` | ${DONE[means].join(' | ')} |`)
  return ['| protocol | it stopped with | what is done | exit code |', '|---|---|---|---:|', ...rows].join('\n')
}
