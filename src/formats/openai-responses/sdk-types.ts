import type { WithMore } from '../shared/json.ts'

/**
 * The part of the OpenAI SDK's types for the Responses API that we read and write. We accept its lists (`ResponseInputItem`), and
 * it accepts the items that we write, without a cast.
 */

/** An item as it comes: of any kind that the API has. */
export type ResponseInput = WithMore<{ readonly type?: string | null; readonly role?: string }>

export type ResponseContent =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }

/** An input item of the OpenAI Responses API. One that came from it may be of another kind. */
export type ResponseItem =
  | { type: 'message'; role: 'developer' | 'user'; content: ResponseContent[] }
  | { type: 'message'; role: 'assistant'; content: string }
  | {
      type: 'reasoning'
      id: string
      summary: { type: 'summary_text'; text: string }[]
      encrypted_content: string
    }
  | { type: 'function_call'; call_id: string; name: string; arguments: string; namespace?: string }
  | { type: 'custom_tool_call'; call_id: string; name: string; input: string }
  | { type: 'compaction'; id?: string; encrypted_content: string }
  | { type: 'function_call_output' | 'custom_tool_call_output'; call_id: string; output: string | ResponseContent[] }
  | {
      type: 'shell_call_output'
      call_id: string
      output: { stdout: string; stderr: string; outcome: { type: 'exit'; exit_code: number } }[]
    }
  | { type: 'apply_patch_call_output'; call_id: string; status: 'completed' | 'failed'; output: string }
  | { type: 'local_shell_call_output'; id: string; output: string }
  | {
      type: 'computer_call_output'
      call_id: string
      output: { type: 'computer_screenshot'; image_url: string }
    }
