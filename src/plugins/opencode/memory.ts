import type { Fields } from '../../formats/shared/json.ts'
import { pageToBeginWith } from '../shared/starting-page.ts'
import type { OpencodeInput } from './opencode-api.ts'

type MemoryInput = OpencodeInput & {
  readonly client: { readonly session: { get(options: { path: { id: string } }): Promise<{ readonly data?: Fields }> } }
}

type MemoryHooks = {
  readonly 'chat.message': (
    input: { readonly sessionID: string },
    output: { readonly message: Fields; readonly parts: Fields[] },
  ) => Promise<void>
}

/**
 * The plug-in that gives a new session of opencode the memory of its project. It is a part of the first message that opencode
 * itself marks as made by a program, and that it keeps: so it enters once. A session of a sub-agent gets none.
 */
export default async function pithMemory({ client, directory }: MemoryInput): Promise<MemoryHooks> {
  return {
    'chat.message': async ({ sessionID: id }, { parts }) => {
      try {
        const [first] = parts
        if (typeof first?.id !== 'string' || ((await client.session.messages({ path: { id } })).data ?? []).length > 0)
          return
        if ((await client.session.get({ path: { id } })).data?.parentID !== undefined) return
        const text = await pageToBeginWith(directory, import.meta.url)
        const { messageID, sessionID } = first
        // opencode sorts parts by their ids, and this one comes before what the user typed.
        const part = { id: `${first.id.slice(0, -3)}000`, messageID, sessionID, type: 'text', text, synthetic: true }
        if (text !== '') parts.unshift(part)
      } catch {}
    },
  }
}
