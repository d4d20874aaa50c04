import { outputText, type ToolResultOutput, type ToolResultPart } from '../../model/message/message.ts'
import { sourceOf, urlOf } from '../shared/file-data.ts'
import { contentsOf } from '../shared/result-output.ts'
import type { ResponseContent, ResponseItem } from './sdk-types.ts'

/** The item of a result for a call of this type: the API pairs each type of call with an output of its own. */
export function outputItem({ toolCallId, output }: ToolResultPart, callType: string): ResponseItem {
  switch (callType) {
    case 'shell_call': {
      const outcome = { type: 'exit' as const, exit_code: 0 }
      return {
        type: 'shell_call_output',
        call_id: toolCallId,
        output: [{ stdout: outputText(output), stderr: '', outcome }],
      }
    }
    case 'apply_patch_call':
      return {
        type: 'apply_patch_call_output',
        call_id: toolCallId,
        status: 'completed',
        output: outputText(output),
      }
    case 'local_shell_call':
      return { type: 'local_shell_call_output', id: toolCallId, output: outputText(output) }
    case 'computer_call':
      return {
        type: 'computer_call_output',
        call_id: toolCallId,
        output: { type: 'computer_screenshot', image_url: EMPTY_IMAGE },
      }
    case 'custom_tool_call':
      return { type: 'custom_tool_call_output', call_id: toolCallId, output: outputContent(output) }
    default:
      return { type: 'function_call_output', call_id: toolCallId, output: outputContent(output) }
  }
}

function outputContent(output: ToolResultOutput): string | ResponseContent[] {
  const contents = contentsOf(output)
  const [only] = contents
  if (contents.length === 1 && only?.type === 'text') return only.text
  return contents.map((part): ResponseContent => {
    const source = part.type === 'text' ? undefined : sourceOf(part)
    if (source !== undefined) return { type: 'input_image', image_url: urlOf(source), detail: 'auto' }
    return { type: 'input_text', text: part.type === 'text' ? part.text : `[${part.type}]` }
  })
}

/** The API takes nothing but an image as a screenshot: one pixel stands for one that is gone. */
const EMPTY_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
