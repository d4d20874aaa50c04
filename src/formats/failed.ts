import type { DecodeResult } from './decoded.ts'

export type Failed = Extract<DecodeResult, { ok: false }>

/** The answer that a file is no session. */
export function failed(reason: Failed['reason'], text: string): Failed {
  return { ok: false, reason, text }
}

/** The answer for what is empty or no text at all. */
export function notText(head: string): Failed | undefined {
  if (head.replace(/^\uFEFF/, '').trim() === '') return failed('empty', 'the file is empty')
  // What is no text decodes to NULs or replacement characters.
  const strange = head.slice(0, 4096).match(/[\0\uFFFD]/g)?.length ?? 0
  return strange > 8 ? failed('binary', 'the file is not text') : undefined
}
