import { listedIn } from '../../model/facts/log-index.ts'
import type { Style } from '../../model/policy/policy.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { oneLine } from '../../model/text.ts'
import type { Index, Message } from '../../model/types.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { pathsOf } from '../extract/files.ts'
import { enclose, escaped, escapedSummary, pathLine } from './escape.ts'
import { type IndexBudget, renderIndex } from './index/render-index.ts'
import { FLAGGED, RECORD_CLOSING, RECORD_OPENING } from './prompts/record-texts.ts'
import { type RecordFacts, recordFacts } from './sections/record-facts.ts'
import { renderRecord } from './sections/render-record.ts'
import { TITLE } from './sections/section-titles.ts'

export type FrameInput = {
  readonly frame: Style
  readonly summary: string
  readonly index: Index
  readonly budget: IndexBudget
  /** The form of the record in the frame `pith`; an earlier one when absent. */
  readonly form?: 'sections'
  /** Entries of the span that are verbatim after the record. */
  readonly shown?: readonly number[]
  /** How many messages the compaction took out of the view. */
  readonly messages: number
  /** How many messages of the log the record replaces. */
  readonly standsFor: number
  /** The facts of the same span that were rendered before. */
  readonly before?: RecordFacts
  /** Names in the summary that its source does not contain. */
  readonly flagged?: readonly string[]
}

/** The message that replaces the compacted span in the view, in the form of its preset. */
export function frameSummary(framed: FrameInput): Message {
  const { summary } = framed
  switch (framed.frame) {
    case 'pith':
      return { role: 'user', content: record(framed) }
    case 'keen':
      return { role: 'user', content: summary }
    case 'koda':
      return { role: 'system', content: escapedSummary(summary) }
    case 'agent':
      return {
        role: 'system',
        content: `[Conversation Summary]\n${escapedSummary(summary)}\n\n[End Summary - ${framed.messages} messages compacted]`,
      }
    case 'kit':
      return {
        role: 'system',
        content: [
          '[Conversation summary — earlier messages were compacted]',
          escapedSummary(summary),
          ...fileLists(framed.index),
        ].join('\n\n'),
      }
    default:
      return unreachable(framed.frame)
  }
}

/** The tokens of the default policy's frame around a record of this many messages: the same for all numbers with as many digits. */
export function frameTokens(messages: number, estimator: Estimator): number {
  return estimator.text(EMPTY_FRAMES[String(messages).length] ?? '')
}

/** By the number of digits: every plan counts one of them. */
const EMPTY_FRAMES: readonly string[] = Array.from({ length: 17 }, (_, digits) => enclosed('', 10 ** digits - 1))

/** Reference material, between marks that nothing inside can close. */
function record(input: FrameInput): string {
  const { summary, index, budget, standsFor, form, flagged = [] } = input
  const doubt =
    flagged.length === 0 ? [] : [`${FLAGGED} ${flagged.map((name) => `\`${oneLine(name, 120)}\``).join(', ')}`]
  const parts =
    form === undefined
      ? [escapedSummary(summary), ...doubt, ...renderIndex(index, budget)]
      : [renderRecord({ ...input, facts: recordFacts(index, input.before) }), ...doubt]
  return enclosed(parts.join('\n\n'), standsFor)
}

function enclosed(text: string, standsFor: number): string {
  return `${RECORD_OPENING(standsFor)}\n\n${enclose('record', text)}\n\n${RECORD_CLOSING}`
}

function fileLists(index: Index): string[] {
  const files = listedIn(index)
  const list = (title: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [[`## ${title}`, ...paths.map((path) => escaped(`- ${pathLine(path)}`))].join('\n')]
  return [...list(TITLE.kitRead, pathsOf(files, 'read')), ...list(TITLE.kitModified, pathsOf(files, 'modified'))]
}
