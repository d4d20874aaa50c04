import type { Fields } from '../../formats/shared/json.ts'

/** The part of opencode's interface for plug-ins that we use. Seen on 1.18.18. */
export type OpencodeInput = {
  readonly directory: string
  readonly client: {
    readonly session: {
      messages(options: { path: { id: string } }): Promise<{ readonly data?: readonly OpencodeMessage[] }>
    }
  }
}

/** A message with its parts, as opencode stores and exports it. */
export type OpencodeMessage = { info: Fields; parts: Fields[] }

/** The hooks of a plug-in. They change their argument `output` in place. */
export type OpencodeHooks = {
  readonly 'chat.params': (input: { readonly sessionID: string; readonly model: unknown }) => Promise<void>
  readonly 'experimental.session.compacting': (
    input: { readonly sessionID: string },
    output: { context: string[]; prompt?: string },
  ) => Promise<void>
  readonly 'experimental.text.complete': (
    input: { readonly sessionID: string; readonly messageID: string },
    output: { text: string },
  ) => Promise<void>
  readonly 'experimental.chat.messages.transform': (
    input: unknown,
    output: { messages: OpencodeMessage[] },
  ) => Promise<void>
  readonly tool: Readonly<Record<string, OpencodeTool>>
}

export type OpencodeTool = {
  readonly description: string
  readonly args: Readonly<Record<string, unknown>>
  readonly execute: (input: unknown, context: { readonly sessionID: string }) => Promise<string>
}
