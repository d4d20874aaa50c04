import type { Message, ToolMessage, ToolResultContent, UserPart } from '../../model/message/message.ts'

/**
 * A message whose tool results have no images, and the images in a user message behind it. OpenAI's chat protocol takes only
 * text in a result: the SDK would send the bytes of an image as text, a hundred times its tokens.
 */
export function imagesApart(message: Message): Message[] {
  if (message.role !== 'tool') return [message]
  const images: UserPart[] = []
  const content = message.content.map((part): ToolMessage['content'][number] => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const texts = part.output.value.map((each) => {
      if (each.type === 'text') return each.text
      const image = imageOf(each)
      if (image === undefined) return `[${each.type}]`
      images.push(image)
      return `[image ${images.length} of the next message]`
    })
    return { ...part, output: { type: 'text', value: texts.join('\n') } }
  })
  if (images.length === 0) return [{ ...message, content }]
  const lead: UserPart = { type: 'text', text: '[Images of the results above]' }
  return [
    { ...message, content },
    { role: 'user', content: [lead, ...images] },
  ]
}

function imageOf(content: ToolResultContent): UserPart | undefined {
  switch (content.type) {
    case 'image-data':
      return { type: 'image', image: content.data, mediaType: content.mediaType }
    case 'image-url':
      return { type: 'image', image: new URL(content.url) }
    case 'file-data':
      return isImage(content) ? { type: 'image', image: content.data, mediaType: content.mediaType } : undefined
    case 'file': {
      const { data, mediaType } = content
      if (!isImage(content)) return undefined
      if (data.type === 'data') return { type: 'image', image: data.data, mediaType }
      return data.type === 'url' ? { type: 'image', image: data.url, mediaType } : undefined
    }
    default:
      return undefined
  }
}

function isImage({ mediaType }: { readonly mediaType: string }): boolean {
  return mediaType.startsWith('image/')
}
