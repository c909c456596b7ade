/// The keys of the folder `keys/`, whose private halves are published.
public enum DemoKeys {
  /// Their RFC 7638 thumbprints.
  public static let identifiers: Set<String> = [
    "5nufw89C7xz8cbPcPZlao2BYgvE1J2Ka5TnZGrq2AwA",  // demo-es256.pem
    "HQZqyshHt9FfB-4KkU2_ow0qWors6jQPXUAgdsvv-ww",  // demo-es384.pem
    "GUwC4ogSiD188q7slrzapy6dRkoK14eD6VLK3gxtLn4",  // demo-es512.pem
    "tT6x3PxEkiKOSeBP7RPYojv4LzVN54PtSLx-5uZSKLw",  // demo-rsa2048.pem
    "6Fhm1IJuTSmhZvV90stNasXdpeawwmDnroTFuQ3HEqc",  // demo-rsa3072.pem
    "7h6CXVhX8kUaiiJgJjyQ2dpOCExIGzu7KBHJ3Dlm5XM",  // demo-rsa4096.pem
  ]

  /// - Throws: ``KeyError/demoKey(_:)``.
  package static func refuse(_ identifier: String) throws(KeyError) {
    if identifiers.contains(identifier) { throw .demoKey(identifier) }
  }
}
