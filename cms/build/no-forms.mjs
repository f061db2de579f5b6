// In place of a validator of JSON schemas, for forms that agents would be asked to fill in: Quire asks for none.
export { default as process } from 'node:process'

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('This server asks for no forms.')
  }
}
