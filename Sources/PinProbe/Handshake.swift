public import PinCrypto

/// What a server showed in one handshake. Nothing of it is trusted yet.
public struct Handshake: Sendable {
  /// What was asked for.
  public let keyType: KeyType
  /// The certificates, or why they can't be read.
  public let chain: Result<PresentedChain, CertificateError>
  /// `TLSv1.3`
  public let protocolVersion: String
  /// `TLS_AES_256_GCM_SHA384`
  public let cipherSuite: String
  /// What ALPN agreed on.
  public let applicationProtocol: String?
  /// Who answered: `192.0.2.7:443`; a proxy where there is one.
  public let address: String
  public let clientCertificateRequested: Bool
  /// The alert with which the server ended the connection after the handshake, for want of a client
  /// certificate that it takes.
  public let refusal: TLSAlert?
}
