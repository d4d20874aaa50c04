export type PeerName = 'pi' | 'langchain' | 'gemini' | 'ai-sdk'
export type Peer = { readonly name: string }
