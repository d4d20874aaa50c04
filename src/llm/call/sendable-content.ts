import type { ToolPart, ToolResultContent, ToolResultPart } from '../../model/message.ts'

type Content = Extract<ToolResultPart['output'], { type: 'content' }>

/** A tool result with its files said as the SDK wants them now: for each older form it would print a warning. */
export function sendableResult<P extends ToolPart | ToolResultPart>(part: P): P {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const output: Content = { ...part.output, value: part.output.value.map(asFile) }
  return { ...part, output }
}

function asFile(content: ToolResultContent): ToolResultContent {
  switch (content.type) {
    case 'file-data':
    case 'image-data':
      return { ...content, type: 'file', data: { type: 'data', data: content.data } }
    case 'file-url':
    case 'image-url': {
      const { url, mediaType = content.type === 'image-url' ? 'image' : 'application/octet-stream', ...rest } = content
      return { ...rest, type: 'file', data: { type: 'url', url: new URL(url) }, mediaType }
    }
    case 'file-reference':
    case 'image-file-reference': {
      const { providerReference: reference, ...rest } = content
      const mediaType = content.type === 'file-reference' ? 'application' : 'image'
      return { ...rest, type: 'file', data: { type: 'reference', reference }, mediaType }
    }
    default:
      return content
  }
}
