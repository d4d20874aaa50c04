import { isSealed, sealOf } from './seal.ts'

/** The compaction entry of a record: `seq` in a session. */
export type RecordMark = { readonly session: string; readonly seq: number }

/** The record with a last line that names its compaction entry. Nobody without the key can write such a line. */
export function withRecordMark(record: string, mark: RecordMark, key: Uint8Array): string {
  const named = `${mark.session}:${mark.seq}`
  return `${record}\n\n[pith-record:${named}:${sealOf(key, PURPOSE, named)}]`
}

/** The compaction entry of the last marked record in a text. Lines that were not written with this key are ignored. */
export function recordMarkIn(text: string, key: Uint8Array): RecordMark | undefined {
  if (!text.includes('[pith-record:')) return undefined
  const marks = [...text.matchAll(MARK)].filter(([, session, seq, seal = '']) =>
    isSealed(key, PURPOSE, `${session}:${seq}`, seal),
  )
  const [, session, seq] = marks.at(-1) ?? []
  return session === undefined ? undefined : { session, seq: Number(seq) }
}

const PURPOSE = 'record-mark'
const MARK = /\[pith-record:([\w-]{1,100}):(\d{1,15}):([\w-]{1,100})\]/g
