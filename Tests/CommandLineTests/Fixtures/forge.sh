# Signs any header and payload with a key of P-256: sh forge.sh HEADER PAYLOAD [KEY]
encode() { base64 -w0 | tr '+/' '-_' | tr -d '='; }
input="$(printf %s "$1" | encode).$(printf %s "$2" | encode)"
printf '%s.%s' "$input" \
  "$(printf %s "$input" | openssl dgst -sha256 -sign "${3:-ec.pem}" | encode)"
