#pragma once
#include <httplib.h>

#include <chrono>
#include <string>

namespace capstan::serve {

/// A connection of which something has been read already, as the HTTP library wants it. The whole request
/// must arrive within a time; each piece of the answer must be taken within `patience`.
class ClientStream final : public httplib::Stream {
 public:
  ClientStream(int socket, std::string received, std::chrono::milliseconds request_time,
               std::chrono::milliseconds patience);

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* bytes, std::size_t size) override;
  ssize_t write(const char* bytes, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool wait_for(short event, std::chrono::milliseconds time) const;
  std::chrono::milliseconds time_left() const;

  int socket_;
  std::string received_;
  std::size_t taken_ = 0;  // of received_
  Clock::time_point deadline_;
  std::chrono::milliseconds patience_;
};

}  // namespace capstan::serve
