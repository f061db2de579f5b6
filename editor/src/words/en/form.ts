/** Forms, whatever their fields. */
export const form = {
  required: 'required',
  groups: 'Parts of the form',
  others: 'Content',
  readOnly: 'The service keeps this by itself.',
  suggestionsList: 'Suggestions',
  suggestions: (count: number) =>
    count === 0 ? 'Nothing found' : count === 1 ? '1 suggestion' : `${count} suggestions`,
  none: '–',
  characters: (count: number, most: number) => `${count} of ${most} characters`,
  pickColor: 'Pick a colour',
  newPassword: 'New password',
  again: 'Once more',
  passwordUnchanged: 'Empty: it stays as it is.',
  passwordsDiffer: 'The two are not the same.',
  today: 'Today',
  clear: 'Clear',
  zone: (name: string) => `Time of ${name}`,
  open: 'Open',
  notJson: 'This is not JSON yet; it is not saved.',
}
