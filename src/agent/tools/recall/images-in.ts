import type { Entry } from '../../../model/entry.ts'
import { partsOf } from '../../../model/message.ts'
import type { ToolImage } from '../../tool.ts'

/** The images of an entry whose bytes the log has. */
export function imagesIn(entry: Entry): ToolImage[] {
  if (entry.type !== 'message') return []
  return partsOf(entry.message).flatMap((part) => {
    if (part.type === 'image')
      return typeof part.image === 'string' ? [{ data: part.image, mediaType: part.mediaType ?? 'image/png' }] : []
    if (part.type !== 'tool-result' || part.output.type !== 'content') return []
    return part.output.value.flatMap((content) =>
      content.type === 'image-data' ? [{ data: content.data, mediaType: content.mediaType }] : [],
    )
  })
}
