import type { WithMore } from '../shared/json.ts'

/**
 * The part of the AI SDK's `UIMessage` that we read and write. We accept its lists, and it accepts the messages that we write,
 * without a cast.
 */

/** A message as it comes, with parts of any kind. */
export type UIMessageInput = WithMore<{ readonly role: string; readonly parts: readonly object[] }>

type ProviderMetadata = Record<string, Record<string, JsonValue>>
type JsonValue = null | string | number | boolean | { [key: string]: JsonValue | undefined } | JsonValue[]

type ToolState =
  | { state: 'input-available'; input: unknown }
  | { state: 'output-available'; input: unknown; output: unknown }
  | { state: 'output-error'; input: unknown; errorText: string }

export type WrittenUIPart =
  | { type: 'text'; text: string; providerMetadata?: ProviderMetadata }
  | { type: 'reasoning'; text: string; providerMetadata?: ProviderMetadata }
  | { type: 'file'; mediaType: string; url: string; filename?: string }
  | { type: 'step-start' }
  | ({ type: 'dynamic-tool'; toolName: string; toolCallId: string; providerExecuted?: boolean } & ToolState)

/** A message of the AI SDK's user interface. One that came from it may hold parts of other kinds, too. */
export type WrittenUIMessage = { id: string; role: 'system' | 'user' | 'assistant'; parts: WrittenUIPart[] }
