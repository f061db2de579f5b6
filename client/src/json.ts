/** Any value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json | undefined
}
