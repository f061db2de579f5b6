/** Names and values, as `process.env`. */
export type Environment = { readonly [name: string]: string | undefined }
