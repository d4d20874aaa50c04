import { readFile, rm } from 'node:fs/promises'
import type { Entry, Seq } from '../../model/types.ts'
import { redactEntries } from '../../session/user-changes.ts'
import { sameTextAs } from '../../store/search/same-text.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { contentFiles, draftFiles } from './content-files.ts'
import type { ContentStore } from './content-store.ts'

export type RedactedSession = { readonly store: Store; readonly contents: ContentStore; readonly id: SessionId }

/**
 * Redacts entries, and deletes the stored contents of files that contain their text or a word of it that looks like a secret.
 * The contents are deleted first. After a crash between the two steps, the user can redact the entries again; a content that is
 * left over would never be found.
 */
export async function redactWithContents(
  { store, contents, id }: RedactedSession,
  seqs: readonly Seq[],
): Promise<{ readonly redactions: readonly Entry[]; readonly contents: number }> {
  const { entries } = await store.entries(id, { seqs: [...seqs] })
  const texts = entries.map(sameTextAs)
  const deleted = await forgetContents(contents, (text) => texts.some(({ isIn }) => isIn(text)))
  return { redactions: await redactEntries(store, id, seqs), contents: deleted }
}

/** Deletes the contents of all sessions that contain the text. */
async function forgetContents(contents: ContentStore, isIn: (text: string) => boolean): Promise<number> {
  let deleted = 0
  for (const { file } of [...(await contentFiles(contents)), ...(await draftFiles(contents))]) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (!isIn(text)) continue
    await rm(file, { force: true })
    deleted++
  }
  return deleted
}
