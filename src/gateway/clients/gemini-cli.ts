import { PITH_PROMPTS } from '../../engine/record/prompts/pith-prompts.ts'
import { type ByteEdit, valueRange } from '../bytes/splice.ts'
import type { FaceRequest } from '../faces/face.ts'
import type { CompactionRecogniser } from './compaction-ask.ts'
import { inTags } from './in-tags.ts'
import { lastTextOf } from './last-text.ts'

/**
 * Gemini CLI sends the older part of the conversation with a system prompt of its own and without tools, and asks twice:
 * for a snapshot, and whether the snapshot is complete. Seen on 0.61.0.
 */
export const geminiCompaction: CompactionRecogniser = ({ read }) => {
  const last = isSnapshotRequest(read) ? lastTextOf(read) : undefined
  if (last?.text.includes('generate the updated <state_snapshot>') !== true) return undefined
  return {
    client: 'gemini',
    conversation: last.rest,
    form: 'text',
    edits: (directive) => [...systemEdit(read), last.replacedBy(directive)],
    dressed: (record) => inTags('state_snapshot', record, ['analysis', 'scratchpad']),
  }
}

/** True for the second question, whether a snapshot is complete: the snapshot is the message before it. */
export function asksForCheck(read: FaceRequest): boolean {
  const last = isSnapshotRequest(read) ? lastTextOf(read) : undefined
  return last?.text.startsWith('Critically evaluate the <state_snapshot>') === true
}

function isSnapshotRequest(read: FaceRequest): boolean {
  return read.face === 'gemini' && read.fixed.system?.includes('structured XML <state_snapshot>') === true
}

/** The client's system prompt demands its own form of a summary. */
function systemEdit(read: FaceRequest): ByteEdit[] {
  const range = valueRange(read.body, 0, ['systemInstruction', 'parts'])
  return range === undefined ? [] : [{ ...range, text: JSON.stringify([{ text: PITH_PROMPTS.system }]) }]
}
