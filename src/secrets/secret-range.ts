/** The position of a secret in a text, and its kind. */
export type SecretRange = { readonly from: number; readonly to: number; readonly kind: string }
